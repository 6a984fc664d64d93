/** Commands import this module first. On Node 20, the SDK warns at every start that support for Node 20 will end. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

export {};
