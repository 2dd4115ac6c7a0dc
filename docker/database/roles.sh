#!/bin/bash
# PostgreSQL's image runs this once, when it creates the database: the role of web and workers, which owns nothing.
# `manage.py migrate` grants it access to rows.
set -euo pipefail

password=${WEB_PASSWORD:-$(cat "${WEB_PASSWORD_FILE:?choose WEB_PASSWORD}")}
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$password" \
    --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE trackside_web LOGIN PASSWORD :'password';
SQL
