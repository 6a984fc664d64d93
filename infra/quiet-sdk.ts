/** Import this first in commands: on Node 20 the SDK warns at every start that its support ends. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

export {};
