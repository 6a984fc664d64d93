import { expect, test } from 'vitest';
import { ProcessorTime } from './processor-time.ts';

/** Takes some of the processor, and says whether that was counted. */
function counts(time: ProcessorTime): boolean {
  const before = time.milliseconds;
  const began = process.cpuUsage();
  for (let spent = began; spent.user + spent.system < 3_000; ) spent = process.cpuUsage(began);
  return time.milliseconds > before;
}

test('processor time is counted while a run is at work, and neither while all wait nor where there is none', () => {
  const time = new ProcessorTime();
  const [one, other] = [{ functionName: 'one' }, { functionName: 'other' }];
  expect(counts(time)).toBe(false);
  const end = time.begin(one);
  expect(counts(time)).toBe(true);
  time.wait(one);
  time.wait(one);
  time.goOn(one);
  expect(counts(time)).toBe(false);
  const endOther = time.begin(other);
  expect(counts(time)).toBe(true);
  time.wait(other);
  expect(counts(time)).toBe(false);
  time.goOn(one);
  expect(counts(time)).toBe(true);
  end();
  endOther();
  expect(counts(time)).toBe(false);
  time.goOn(other);
  expect(counts(time)).toBe(false);
});
