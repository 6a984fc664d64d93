import { type DemoCompany, readAll } from './company.ts';

/** Requests a vanity domain. It cannot be validated, because example.com is reserved (RFC 2606). */
export async function createVanityDomain(company: DemoCompany): Promise<void> {
  const domain = `pay-demo-${company.plan.seed}.example.com`;
  await company.each('vanity domains', [domain], async () => {
    const known = await readAll<{ domain: string }>(company, '/domains');
    if (!known.some((one) => one.domain === domain)) await company.send('POST', '/domains', { domain });
  });
}
