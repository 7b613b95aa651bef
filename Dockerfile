# Pinned by digest, so that every build is the same. Newest: `docker buildx imagetools inspect python:3.13-slim`.
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data HOST=0.0.0.0 PORT=8000
# pg_dump and psql are for backups, in the version of the server in docker-compose.yml. tini: see ENTRYPOINT.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-17 tini && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 site && install -d -o site /data
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements.txt
COPY . .
# The site may not write here, so without this, each start would compile everything.
RUN python -m compileall -q .
USER site
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/')"]
# As process 1, the shell would ignore SIGTERM, and `docker stop` during `prepare` would wait ten seconds.
ENTRYPOINT ["tini", "--"]
CMD ["sh", "-c", "python manage.py prepare && exec python -m polyhedral_site"]
