import type { AccountId } from '../../shared/id/account-id.ts';
import { peakMemory } from '../harness/peak-memory.ts';
import { finishRuns } from './finish-runs.ts';

/** Calculates the newest run of an account in a process of its own. Prints the most memory in MB. */
const [account = ''] = process.argv.slice(2);
await finishRuns(account as AccountId);
console.log(JSON.stringify({ memory: peakMemory() }));
