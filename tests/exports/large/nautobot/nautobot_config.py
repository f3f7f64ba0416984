"""Settings of a Nautobot that a test starts: its server is PostgreSQL's, its cache a Redis behind a socket.

Tables are made from the models and not by the hundreds of migrations that have led to them, which would take ten times
as long and give the same.
"""

from __future__ import annotations

import os

from nautobot.core.settings import *  # noqa: F403  # as its own template of this file has it
from nautobot.core.settings import CACHES, INSTALLED_APPS

CACHES["default"]["BACKEND"] = "django_redis.cache.RedisCache"
CACHES["default"]["LOCATION"] = f"unix://{os.environ['FABRIC_REDIS_SOCKET']}?db=1"
CELERY_BROKER_URL = "memory://"
INSTALLATION_METRICS_ENABLED = False
METRICS_ENABLED = False
MIGRATION_MODULES = {app.split(".")[-1]: None for app in INSTALLED_APPS}
