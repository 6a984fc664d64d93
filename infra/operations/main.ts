import '../quiet-sdk.ts';
import { runProgram } from './command.ts';
import { ops } from './ops.ts';

/** `npm run ops`. */
await runProgram(ops, process.argv.slice(2));
