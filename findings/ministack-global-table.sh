#!/usr/bin/env bash
# MiniStack 1.5.33: CloudFormation creates an AWS::DynamoDB::GlobalTable without the deletion protection of its replica.
#
# Expected by the CloudFormation reference of AWS::DynamoDB::GlobalTable, "ReplicaSpecification": DeletionProtectionEnabled
# of the replica in the stack's region protects the table. A test that deploys to MiniStack cannot see a missing protection.
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

scope() { echo "authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/$1/aws4_request, SignedHeaders=host, Signature=0"; }
key='[{"AttributeName": "pk", "KeyType": "HASH"}]'
attributes='[{"AttributeName": "pk", "AttributeType": "S"}]'
replicas='[{"Region": "us-east-1", "DeletionProtectionEnabled": true}]'
template="{\"Resources\": {\"Table\": {\"Type\": \"AWS::DynamoDB::GlobalTable\", \"Properties\": {\"TableName\": \"kept\",
  \"BillingMode\": \"PAY_PER_REQUEST\", \"KeySchema\": $key, \"AttributeDefinitions\": $attributes, \"Replicas\": $replicas}}}}"
curl -sf "$url/" -H "$(scope cloudformation)" --data-urlencode 'Action=CreateStack' --data-urlencode 'Version=2010-05-15' \
  --data-urlencode 'StackName=tables' --data-urlencode "TemplateBody=$template" >/dev/null
describe() {
  curl -s "$url/" -H "$(scope dynamodb)" -H 'content-type: application/x-amz-json-1.0' \
    -H 'x-amz-target: DynamoDB_20120810.DescribeTable' -d '{"TableName": "kept"}'
}
for _ in $(seq 40); do describe | grep -q '"ACTIVE"' && break || sleep 0.5; done
protected=$(describe | python3 -c 'import json, sys; print(json.load(sys.stdin)["Table"].get("DeletionProtectionEnabled", False))')
echo "the table is protected: $protected"
[ "$protected" = False ] || { echo 'The behaviour of MiniStack has changed.'; exit 1; }
