import { defineConfig } from 'vitest/config';

/** Tests that require Postfix and Dovecot: `npm run test:extra -- mail-clients` (test/mail-clients.ts). */
export default defineConfig({
  test: {
    include: ['test/mail-clients/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
