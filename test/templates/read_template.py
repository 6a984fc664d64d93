"""Prints, as JSON, the routes and functions that SAM reads from a template: `read_template.py TEMPLATE`."""

import json
import os
import sys

from samcli.lib.providers.api_provider import ApiProvider
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

template = os.path.abspath(sys.argv[1])
stacks, _ = SamLocalStackProvider.get_stacks(template)
api = ApiProvider(stacks, cwd=os.path.dirname(template)).api
json.dump(
    {
        "routes": [
            {
                "path": route.path,
                "methods": route.methods,
                "payload": route.payload_format_version,
                "function": route.function_name,
            }
            for route in api.routes
        ],
        "functions": [
            {
                "name": function.functionname,
                "code": os.path.abspath(function.codeuri),
                "handler": function.handler,
                "environment": function.environment["Variables"],
            }
            for function in SamFunctionProvider(stacks).get_all()
        ],
    },
    sys.stdout,
)
