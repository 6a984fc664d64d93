import { quickScrypt } from '../harness/quick-scrypt.ts';

// Node runs this module before a program, and before each of its worker threads.
quickScrypt();
