package db

import "context"

// Listener is the name of the one connection of a process that listens for notices: "broadsheet serve", "broadsheet
// work". By it a process that starts knows who else is there.
func Listener(role string) string { return "broadsheet " + role }

// Most is how many connections a process opens at most: those of the editions, those of the owner, and the listener.
// Those of the editions are the pooler's where there is one.
func (o Options) Most(editions int) int {
	o.setDefaults()
	if o.PoolerDSN != "" {
		return o.CoreConns + 1
	}
	return min(editions*o.MaxConns, o.TotalConns) + o.CoreConns + 1
}

// Slots is how many connections the server has for all who are not its superuser.
func (d *DB) Slots(ctx context.Context) (n int, err error) {
	err = d.core.NewRaw(`SELECT current_setting('max_connections')::int -
		current_setting('superuser_reserved_connections')::int
		- coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0)`).Scan(ctx, &n)
	return n, err
}

// OpenDatabases lists the other databases of the server to which everybody may connect, and so the editions' logins
// too.
func (d *DB) OpenDatabases(ctx context.Context) (names []string, err error) {
	err = d.core.NewRaw(`SELECT datname FROM pg_database WHERE datallowconn AND datname <> current_database() AND EXISTS (
		SELECT FROM aclexplode(coalesce(datacl, acldefault('d', datdba))) a WHERE a.grantee = 0 AND a.privilege_type =
		'CONNECT')
		ORDER BY datname`).Scan(ctx, &names)
	return names, err
}

// Processes counts the processes of a role that listen to this database.
func (d *DB) Processes(ctx context.Context, role string) (n int, err error) {
	err = d.core.NewRaw("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name "+
		"= ?", Listener(role)).Scan(ctx, &n)
	return n, err
}
