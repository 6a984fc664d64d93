"""
Runs SAM's command line, but runs functions in node processes instead of containers:
`sam_without_docker.py local start-api …`.
"""

import os
import subprocess
import sys

from samcli.cli.main import cli
from samcli.commands.local.cli_common.invoke_context import InvokeContext

# Writes only the response to stdout. The function's own output is its log and is written to stderr.
call = """
const [, module, name] = process.argv;
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const respond = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const { [name]: handler } = await import(module);
const context = { awsRequestId: 'one', functionName: 'one', getRemainingTimeInMillis: () => 15_000 };
respond(JSON.stringify(await handler(JSON.parse(Buffer.concat(chunks)), context)), () => process.exit());
"""


class Processes:
    """Replaces SAM's container runtime."""

    def invoke(self, function, event, *_, stdout, stderr, **__):
        module, name = function.handler.rsplit(".", 1)
        path = os.path.join(function.code_abs_path, f"{module}.mjs")
        done = subprocess.run(
            ["node", "--input-type=module", "-e", call, path, name],
            input=event.encode(),
            env={"PATH": os.environ["PATH"], **function.env_vars.resolve()},
            capture_output=True,
            timeout=60,
        )
        stderr.write_str(done.stderr.decode())
        stdout.write_str(done.stdout.decode())


InvokeContext.lambda_runtime = property(lambda _: Processes())
InvokeContext._get_container_manager = staticmethod(lambda *_: None)
InvokeContext._clean_running_containers_and_related_resources = lambda _: None

cli(sys.argv[1:])
