#!/usr/bin/env bash
# MiniStack 1.5.33: the ConsumedCapacity of a Query does not depend on the size of the items.
#
# Expected by the developer guide of DynamoDB, "Capacity unit consumption for read operations": a strongly consistent
# Query of 100 KB consumes 25 read units, one for each 4 KB of the items. So code that limits a read by the consumed
# units does not stop in MiniStack, and costs cannot be measured.
# The script fails if a newer run shows anything else. It needs Python 3 with venv, and curl.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check ministack==1.5.33
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
BIND_HOST=127.0.0.1 GATEWAY_PORT=$port SFTP_ENABLED=0 IOT_MTLS_ENABLED=0 "$folder/python/bin/ministack" >"$folder/log" 2>&1 &
url=http://127.0.0.1:$port
for _ in $(seq 120); do curl -sf "$url/_ministack/health" >/dev/null && break || sleep 0.5; done

call() {
  curl -sf "$url/" -H 'content-type: application/x-amz-json-1.0' -H "x-amz-target: DynamoDB_20120810.$1" -d @- \
    -H 'authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'
}
call CreateTable >/dev/null <<<'{"TableName": "sizes", "BillingMode": "PAY_PER_REQUEST",
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'
text=$(printf 'x%.0s' $(seq 102300))
call PutItem >/dev/null <<<"{\"TableName\": \"sizes\", \"Item\": {\"pk\": {\"S\": \"large\"}, \"text\": {\"S\": \"$text\"}}}"
units=$(call Query <<<'{"TableName": "sizes", "ConsistentRead": true, "ReturnConsumedCapacity": "TOTAL",
  "KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": {"S": "large"}}}' |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["ConsumedCapacity"]["CapacityUnits"])')
echo "a Query of 100 KB consumes $units read units"
[ "${units%.*}" -lt 25 ] || { echo 'The behaviour of MiniStack has changed.'; exit 1; }
