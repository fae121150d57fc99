#!/bin/sh
# Starts Debian's WordPress in a folder of its own, to try `broadsheet sync wordpress` on the real thing:
#
#   apt-get install wordpress php-cli php-mysql php-gd php-xml php-mbstring mariadb-server-core mariadb-client-core
#   sh real-wordpress.sh start /tmp/real 8090    # prints the user, and where the application password is
#   sh real-wordpress.sh stop  /tmp/real
#
# The database listens on a socket in the folder, the site on the loopback interface.
set -eu

what=$1 dir=$2 port=${3:-8090}

stop() {
	for pid in "$dir"/php.pid "$dir"/db.pid; do
		if [ -f "$pid" ]; then
			kill "$(cat "$pid")" 2>/dev/null || true
			rm -f "$pid"
		fi
	done
}

if [ "$what" = stop ]; then
	stop
	exit
fi

mkdir -p "$dir/db"
owner=$(id -un)
if [ ! -d "$dir/db/mysql" ]; then
	mysql_install_db --datadir="$dir/db" --user="$owner" --auth-root-authentication-method=normal --skip-test-db >"$dir/install.log" 2>&1
fi
mariadbd --no-defaults --datadir="$dir/db" --user="$owner" --socket="$dir/db.sock" --pid-file="$dir/db.pid" --skip-networking >"$dir/db.log" 2>&1 &
tries=0
until mariadb-admin --no-defaults --socket="$dir/db.sock" -u root ping >/dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || { echo "the database does not start, see $dir/db.log" >&2; exit 1; }
	sleep 0.2
done
mariadb --no-defaults --socket="$dir/db.sock" -u root -e 'CREATE DATABASE IF NOT EXISTS wordpress CHARACTER SET utf8mb4'

if [ ! -d "$dir/www" ]; then
	cp -rL /usr/share/wordpress "$dir/www"
	mkdir -p "$dir/www/wp-content/uploads"
	cat >"$dir/www/wp-config.php" <<-CONFIG
		<?php
		define('DB_NAME', 'wordpress');
		define('DB_USER', 'root');
		define('DB_PASSWORD', '');
		define('DB_HOST', 'localhost:$dir/db.sock');
		define('DB_CHARSET', 'utf8mb4');
		define('DB_COLLATE', '');
		define('WP_ENVIRONMENT_TYPE', 'local'); // application passwords without https
		define('WP_HTTP_BLOCK_EXTERNAL', true);
		define('DISABLE_WP_CRON', true);
		\$table_prefix = 'wp_';
		if (!defined('ABSPATH')) { define('ABSPATH', __DIR__ . '/'); }
		require_once ABSPATH . 'wp-settings.php';
	CONFIG
	cat >"$dir/router.php" <<-'ROUTER'
		<?php
		$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
		if (is_file($_SERVER['DOCUMENT_ROOT'] . $path)) { return false; }
		$_SERVER['SCRIPT_NAME'] = '/index.php';
		require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
	ROUTER
	HTTP_HOST="127.0.0.1:$port" php -r '
		define("WP_INSTALLING", true);
		require $argv[1] . "/www/wp-load.php";
		require ABSPATH . "wp-admin/includes/upgrade.php";
		function wp_mail() { return true; }
		wp_install("The River Courier", "desk", "desk@courier.example", true, "", bin2hex(random_bytes(12)));
		update_option("siteurl", "http://" . $argv[2]);
		update_option("home", "http://" . $argv[2]);
		update_option("permalink_structure", "/%year%/%monthnum%/%postname%/");
		update_option("timezone_string", "Europe/Bratislava");
		flush_rewrite_rules(false);
		list($password) = WP_Application_Passwords::create_new_application_password(1, ["name" => "broadsheet"]);
		file_put_contents($argv[1] . "/password", $password);
	' "$dir" "127.0.0.1:$port" 2>"$dir/wp-install.log"
	chmod 600 "$dir/password"
fi
php -S "127.0.0.1:$port" -t "$dir/www" "$dir/router.php" >"$dir/php.log" 2>&1 &
echo $! >"$dir/php.pid"
echo "http://127.0.0.1:$port answers; user desk, application password in $dir/password"
