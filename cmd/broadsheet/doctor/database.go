package doctor

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.org/broadsheet/cmd/broadsheet/app"
	"example.org/broadsheet/platform/db"
	"example.org/broadsheet/platform/paper/edition"
)

// ownerRights looks at what the login of database.url may do.
func ownerRights(ctx context.Context, p *Paper) []Finding {
	if p.Database == nil {
		return nil
	}
	r, err := p.Database.Rights(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	var found []Finding
	if !r.CreatesRoles {
		found = append(found, problem("As a superuser: ALTER ROLE "+r.User+" CREATEROLE;",
			"%s may not create roles, so no edition can be added", r.User))
	}
	if !r.CreatesSchemas {
		found = append(found, problem("As a superuser: ALTER DATABASE "+r.Database+" OWNER TO "+r.User+";",
			"%s may not create schemas in %s", r.User, r.Database))
	}
	if r.Superuser {
		found = append(found, warn("A role with CREATEROLE that owns the database is enough: docs/operations.md.",
			"%s is a superuser", r.User))
	}
	return or(found, "%s may create roles and schemas in %s", r.User, r.Database)
}

// otherDatabases looks for databases to which the editions' logins can connect.
func otherDatabases(ctx context.Context, p *Paper) []Finding {
	if p.Database == nil {
		return nil
	}
	names, err := p.Database.OpenDatabases(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	if len(names) > 0 {
		return []Finding{warn("As the server's superuser: REVOKE CONNECT ON DATABASE "+strings.Join(names, ", ")+
			" FROM PUBLIC;", "the editions' logins can connect to others of the server: %s", strings.Join(names, ", "))}
	}
	return fine("closed to the editions' logins")
}

// connections compares what the processes that run, or one of each, may open with what the server has.
func connections(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	have, err := p.Database.Slots(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	need := 0
	for _, r := range []app.Role{app.Serve, app.Work} {
		n, err := p.Database.Processes(ctx, r.Name())
		if err != nil {
			return []Finding{problem("", "%v", err)}
		}
		need += max(n, 1) * r.Options(p.Config.Database).Most(len(p.Registry.All()))
	}
	if need > have {
		return []Finding{warn("Raise max_connections, or lower database.total_conns: docs/scaling.md.",
			"the processes may open %d, and Postgres has %d", need, have)}
	}
	if p.Database.Pooled() {
		return fine("%d at most past the pooler, of %d; its own pools come on top", need, have)
	}
	return fine("%d at most, of %d", need, have)
}

// pooler looks whether locks and notices have sessions of Postgres itself, and whether the editions' logins are bounded
// where they have not.
func pooler(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	const advice = "Name Postgres itself in database.url, and the pooler in database.pooler_url: docs/scaling.md."
	shared, err := p.Database.SharesSessions(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	if shared {
		return []Finding{problem(advice, "database.url leads to a pooler in transaction mode: locks are lost there, and "+
			"notices never arrive")}
	}
	if !p.Database.Pooled() {
		return fine("none; locks and notices have sessions of their own")
	}
	lacking, err := p.Database.LacksPooledSettings(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	if len(lacking) > 0 {
		return []Finding{problem("Run `broadsheet migrate`.", "the logins of %s have no time limits behind the pooler",
			strings.Join(lacking, ", "))}
	}
	return fine("only the editions' connections go through it")
}

// logins asks for a connection of each edition.
func logins(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	for _, ed := range p.Registry.All() {
		if err := p.Database.Reach(ctx, ed.ID); err != nil {
			advice := ""
			if db.LoginRefused(err) {
				advice = refusedAdvice(ctx, p, ed.ID)
			} else if p.Database.Pooled() {
				advice = "Is the pooler at database.pooler_url running, and does its auth_query find the editions' logins?"
			}
			found = append(found, problem(advice, "%s: %v", ed.ID, err))
		}
	}
	return or(found, "each reaches its own schema (%d)", len(p.Registry.All()))
}

// refusedAdvice says how an edition's login that the server refuses works again.
func refusedAdvice(ctx context.Context, p *Paper, editionID string) string {
	const advice = "Is BROADSHEET_SECRET the one with which the edition was added? "
	others, err := p.Database.OtherDatabases(ctx, editionID)
	if err == nil && len(others) > 0 {
		return advice + "The database " + strings.Join(others, ", ") + " of this server uses " +
			edition.SchemaOf(editionID) + " as well: its paper has another secret, and may have taken the login. Give that " +
			"paper a PostgreSQL server of its own, then take the login back: broadsheet migrate --new-secret --take-roles."
	}
	return advice + "After a change of the secret: broadsheet migrate --new-secret."
}

func states(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	list, err := p.Registry.List(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	var found []Finding
	restoring, err := p.Registry.Restoring(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	for _, id := range restoring {
		found = append(found, problem("Repeat `broadsheet restore`, or remove what is there: `broadsheet edition remove "+id+
			" --drop --yes`.", "the restore of %s has not ended", id))
	}
	served := 0
	for _, s := range list {
		ed, ok := p.Registry.Get(s.ID)
		if ok && !ed.RestoredFrom.IsZero() {
			found = append(found, warn("`broadsheet restore status`, then `broadsheet restore confirm`.",
				"%s was restored from the backup of %s, and nothing periodic happens in it", s.ID,
				ed.RestoredFrom.Format(time.RFC3339)))
		}
		switch {
		case slices.Contains(restoring, s.ID):
		case s.State == "pending":
			found = append(found, problem("`broadsheet edition apply` finishes it.", "%s was not added to the end", s.ID))
		case s.Error != "":
			found = append(found, problem("Mend the cause and run `broadsheet migrate`.",
				"%s is %s: %s", s.ID, s.State, s.Error))
		case s.State != "disabled" && !ok:
			found = append(found, problem("Apply a document that fits: `broadsheet edition apply`.",
				"%s: this program cannot read its document", s.ID))
		case ok:
			served++
		}
	}
	if served == 0 {
		found = append(found, warn("`broadsheet edition add FILE`", "none is served"))
	}
	return or(found, "%d served", served)
}

// schemas compares the registry with the schemas that are there.
func schemas(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	there, err := p.Database.Schemas(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	list, err := p.Registry.List(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	var found []Finding
	restoring, err := p.Registry.Restoring(ctx)
	if err != nil {
		return []Finding{problem("", "%v", err)}
	}
	known := map[string]bool{}
	for _, id := range restoring {
		known[id] = true // the check of editions names it
	}
	for _, s := range list {
		known[s.ID] = true
		if !slices.Contains(there, s.ID) {
			found = append(found, problem("`broadsheet edition remove "+s.ID+" --yes --drop --at-once --keep-subscriptions` "+
				"removes what is left of it; then it can be restored from a backup.",
				"%s is in the registry, and its schema is not there", s.ID))
		}
	}
	for _, id := range there {
		if !known[id] {
			found = append(found, warn("If all that belongs to the edition is in it, `broadsheet edition apply` with its "+
				"document takes it over; else drop it.",
				"the schema %s is of no edition in the registry", edition.SchemaOf(id)))
		}
	}
	return or(found, "each is of an edition (%d)", len(there))
}

// owners looks whether the tables of each edition belong to the role that nobody logs in as.
func owners(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	for _, ed := range p.Registry.All() {
		if owned, err := p.Database.OwnsSchema(ctx, ed.ID); err != nil {
			found = append(found, problem("", "%s: %v", ed.ID, err))
		} else if !owned {
			found = append(found, problem("Run `broadsheet migrate`.",
				"%s: not all of its schema belongs to %s, or its login lacks rights", ed.ID, db.OwnerOf(ed.ID)))
		}
	}
	return or(found, "own their schemas")
}

// migrations compares each schema with what this program knows.
func migrations(ctx context.Context, p *Paper) []Finding {
	if p.Registry == nil {
		return nil
	}
	var found []Finding
	for _, ed := range p.Registry.All() {
		d, err := p.Database.Difference(ctx, ed.ID)
		switch {
		case err != nil:
			found = append(found, problem("", "%s: %v", ed.ID, err))
		case len(d.Missing) > 0:
			found = append(found, problem("Run `broadsheet migrate`, then start serve and work again.",
				"%s: the schema is older than this program: %s", ed.ID, strings.Join(d.Missing, ", ")))
		case len(d.Unknown) > 0:
			found = append(found, warn("Use the program that has migrated it, or a newer one.",
				"%s: the schema is newer than this program: %s", ed.ID, strings.Join(d.Unknown, ", ")))
		}
	}
	return or(found, "all are applied")
}
