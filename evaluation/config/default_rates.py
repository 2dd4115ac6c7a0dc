"""Rate limits of expensive actions for one person, token or IP address: a count and a period each."""

DEFAULT_RATES = {
    "upload": "120/h",  # run files of a person, by page and API together
    "import": "120/h",
    "report": "60/h",  # choices of runs and topics to compute
    "bundle": "10/h",  # requests to pack the zip of a report; a packed one is kept for an hour
    "team": "10/d",
    "token": "20/d",
    "change": "60/h",  # of a person's name, and of names, links and run descriptions of their teams
    "invitation": "200/h",  # forms and requests; each may name 50 addresses
    "invited_address": "200/h",  # mails of one person, to all tracks
    "trial": "120/h",  # of judges on one pair
    "announcement": "60/h",  # previews included; each may mail all teams and assessors
    "inquiry": "20/d",  # questions to organizers; each is mailed to them
    "wrong_password": "100/d",  # of one account from all addresses; a new password by mail resets the count
    "wrong_code": "100/d",  # of one person's second factor from all addresses
    "api": "3000/5m",  # requests with one token
    "unknown_token": "30/m",  # requests of one address with unusable tokens
}
