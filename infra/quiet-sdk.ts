/**
 * Imported before anything else by our own commands: on Node 20 the SDK warns of its support's end on every start.
 * The deployed functions may warn, on the Node that they run on.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

export {};
