import { at, type DemoCompany, readAll } from './company.ts';

/**
 * Switches the capture of bodies on for 14 days, and adds a note to the first merchant. The event of the note has both
 * bodies. Capture starts after the other records, because a captured change writes one more item.
 */
export async function createCapturedBodies(
  company: DemoCompany,
  merchants: readonly number[],
): Promise<void> {
  const { account, send } = company;
  const notes = `/merchants/${at(merchants, 0)}/notes`;
  const content = 'Demo: the service captured the request and the response of this note.';
  await company.each('captured bodies', [notes], async () => {
    const known = await readAll<{ content: string }>(company, notes);
    if (known.some((note) => note.content === content)) return;
    const path = `/accounts/${account}`;
    const { bodyCaptureUntil = '' } = await send<{ bodyCaptureUntil?: string }>('GET', path);
    const isOn = Date.parse(bodyCaptureUntil) > Date.now();
    if (!isOn) await send('PUT', `${path}/body-capture`, { days: 14 });
    await send('POST', notes, { content });
  });
}
