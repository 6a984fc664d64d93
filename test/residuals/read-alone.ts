import { readFileSync } from 'node:fs';
import { openFile } from '../../shared/residuals/files/open-file.ts';
import { readFileRows } from '../../shared/residuals/files/read-rows.ts';
import { ReadingResult } from '../../shared/residuals/files/reading-result.ts';
import type { FileReading } from '../../shared/residuals/formats/schema.ts';
import { peakMemory } from '../harness/peak-memory.ts';

/** Reads a file in a process of its own. Prints the number of rows, the milliseconds and the most memory in MB. */
const [path = '', reading = ''] = process.argv.slice(2);
const start = Date.now();
const result = new ReadingResult();
const context = { reading: JSON.parse(reading) as FileReading, currency: 'USD', month: '2026-10', result };
for await (const _ of readFileRows(await openFile(readFileSync(path)), context));
const memory = peakMemory();
console.log(JSON.stringify({ rows: result.rows, milliseconds: Date.now() - start, memory }));
