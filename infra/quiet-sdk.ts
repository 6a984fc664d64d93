/** Disables the SDK's warning that support for Node 20 will end. Commands import this module before the SDK. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

export {};
