#!/bin/bash
# PostgreSQL's image runs this once, when it creates the database: the role of web and workers, which owns nothing.
# `manage.py migrate` grants it access to rows.
set -euo pipefail

psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="${WEB_PASSWORD:?choose one}" \
    --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE trackside_web LOGIN PASSWORD :'password';
SQL
