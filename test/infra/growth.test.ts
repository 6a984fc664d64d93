import { expect, test } from 'vitest';
import type { BundledEndpoint } from '../../infra/build/manifest.ts';
import { type EndpointStack, endpointStacks } from '../../infra/endpoint-stacks.ts';
import { checkQuotas, describeFinding, isImpossible } from '../../infra/quotas/check.ts';
import { longestRegion } from '../../infra/quotas/longest-values.ts';
import { templatesOfApp } from '../../infra/quotas/synthesize.ts';
import { type StageSettings, stageNamed } from '../../infra/stages.ts';
import { builtManifest, deploymentOf, resources, servingTemplates } from '../harness/deployment.ts';

const inRegion = (name: string): StageSettings => ({ ...stageNamed(name), region: longestRegion });
const manifest = await builtManifest();

/** Ten endpoints for each new first segment, and an API for each ten segments. */
function grown(endpoints: number): { more: BundledEndpoint[]; split: EndpointStack[] } {
  const segments = Array.from({ length: endpoints / 10 }, (_, n) => `resource-${n}-`);
  const [base] = manifest.endpoints.filter(({ contract }) => contract.path === '/leads/{leadId}');
  if (!base) throw new Error('The endpoint GET /leads/{leadId} does not exist.');
  const more = segments.flatMap((segment) =>
    Array.from({ length: 10 }, (_, n) => ({
      ...base,
      name: `${segment}read-something-${n}`,
      contract: { ...base.contract, path: `/${segment}/${n}/{leadId}` } as BundledEndpoint['contract'],
    })),
  );
  const stacks = Array.from({ length: Math.ceil(segments.length / 10) }, (_, n) => ({
    name: `more-${n}`,
    segments: segments.slice(10 * n, 10 * n + 10),
  }));
  return { more, split: [...endpointStacks, ...stacks] };
}

test.each(['prod', 'dev'])(
  'with 400 more endpoints in more APIs, the stage %s is within all limits of AWS',
  (name) => {
    const { more, split } = grown(400);
    const endpoints = [...manifest.endpoints, ...more];
    const deployed = deploymentOf(inRegion(name), { ...manifest, endpoints }, { split });
    expect(servingTemplates(deployed)).toHaveLength(1 + split.length);
    const exceeded = checkQuotas(templatesOfApp(deployed.app)).filter(({ share }) => share > 1);
    expect(exceeded.map(describeFinding)).toEqual([]);
    for (const template of servingTemplates(deployed))
      expect(resources(template, 'AWS::ApiGatewayV2::Integration').length).toBeLessThanOrEqual(240);
  },
);

test.each(['prod', 'dev'])(
  'with 1,000 endpoints, the stage %s exceeds only limits that AWS increases',
  (name) => {
    const { more, split } = grown(10 * Math.ceil((1000 - manifest.endpoints.length) / 10));
    const endpoints = [...manifest.endpoints, ...more];
    const deployed = deploymentOf(inRegion(name), { ...manifest, endpoints }, { split });
    const impossible = checkQuotas(templatesOfApp(deployed.app)).filter(isImpossible);
    expect(impossible.map(describeFinding)).toEqual([]);
  },
);
