#!/usr/bin/env bash
# MiniStack 1.5.33: an HTTP API with an HTTP_PROXY integration returns only the content type of the backend's headers, and
# the mapped values $request.path and $context.identity.sourceIp are empty.
#
# Expected by the API Gateway Developer Guide: "HTTP proxy integrations" passes the entire request and response, and
# "Transform API requests and responses for HTTP APIs" lists $request.path and the context variables as values.
# The script fails if a newer run shows anything else. It needs Python 3 with venv, and curl.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check ministack==1.5.33

cat >"$folder/backend.py" <<'PYTHON'
import http.server, json, sys

class Backend(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({k.lower(): v for k, v in self.headers.items()}).encode()
        self.send_response(200)
        for name, value in (("content-type", "application/json"), ("etag", '"7"'), ("content-length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Backend)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 "$folder/backend.py" >"$folder/port" &
free_port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
BIND_HOST=127.0.0.1 GATEWAY_PORT=$free_port SFTP_ENABLED=0 IOT_MTLS_ENABLED=0 "$folder/python/bin/ministack" >"$folder/log" 2>&1 &
url=http://127.0.0.1:$free_port
for _ in $(seq 120); do curl -sf "$url/_ministack/health" >/dev/null && break || sleep 0.5; done
backend=http://127.0.0.1:$(cat "$folder/port")

scope='AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/apigateway/aws4_request, SignedHeaders=host, Signature=0'
call() { curl -s -X POST "$url$1" -H "authorization: $scope" -H 'content-type: application/json' -d "$2"; }
field() { python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
api=$(call /v2/apis '{"name": "front", "protocolType": "HTTP"}' | field apiId)
integration=$(call "/v2/apis/$api/integrations" "{
  \"integrationType\": \"HTTP_PROXY\", \"integrationMethod\": \"ANY\", \"payloadFormatVersion\": \"1.0\",
  \"integrationUri\": \"$backend\", \"requestParameters\": {
    \"overwrite:header.x-static\": \"seen\", \"overwrite:header.x-path\": \"\$request.path\",
    \"overwrite:header.x-address\": \"\$context.identity.sourceIp\" } }" | field integrationId)
call "/v2/apis/$api/routes" "{\"routeKey\": \"ANY /{below+}\", \"target\": \"integrations/$integration\"}" >/dev/null
call "/v2/apis/$api/stages" '{"stageName": "$default", "autoDeploy": true}' >/dev/null

curl -s -D "$folder/headers" "$url/_aws/execute-api/$api/\$default/orders/7" >"$folder/body"
python3 - "$folder" <<'PYTHON'
import json, sys
folder = sys.argv[1]
body = json.load(open(folder + "/body"))
headers = open(folder + "/headers").read().lower()
seen = {
    "the static header reaches the backend": body.get("x-static") == "seen",
    "the backend gets the path": "x-path" in body,
    "the backend gets the address": "x-address" in body,
    "the client gets the etag": "\netag:" in headers,
}
for fact, value in seen.items():
    print(f"{fact}: {'yes' if value else 'no'}")
sys.exit(0 if list(seen.values()) == [True, False, False, False] else "The behaviour of MiniStack has changed.")
PYTHON
