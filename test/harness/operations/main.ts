import { runProgram } from '../../../infra/operations/command.ts';
import { parcels } from './parcels.ts';

await runProgram(parcels, process.argv.slice(2));
