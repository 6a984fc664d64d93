import { count } from '../quotas/check.ts';
import type { StageSettings } from '../stage-settings.ts';
import { type ComparedQuota, compareQuotas } from './compare-quotas.ts';
import { print, textTable } from './print.ts';

type Options = { stage: StageSettings; json?: boolean };

export default async function ({ stage, json }: Options): Promise<void> {
  const compared = await compareQuotas(stage);
  if (compared.some(({ increase }) => increase)) process.exitCode = 1;
  print(compared, json ? undefined : describe(stage, compared));
}

function describe(stage: StageSettings, compared: readonly ComparedQuota[]): string[] {
  const requests = compared.flatMap(({ increase }) => (increase ? [requestOf(increase)] : []));
  return [
    ...textTable([
      ['service', 'quota', 'region', 'needed', 'in the account', ''],
      ...compared.map(({ service, counted, region, needed, allowed, increase }) => [
        service,
        counted,
        region,
        count(needed),
        count(allowed),
        increase ? `increase to ${count(increase.desiredValue)}` : 'sufficient',
      ]),
    ]),
    '',
    ...(requests.length > 0
      ? [`Request these increases before you deploy the stage ${stage.name}:`, ...requests]
      : [`The quotas are sufficient for the stage ${stage.name}.`]),
  ];
}

const requestOf = ({
  serviceCode,
  quotaCode,
  region,
  desiredValue,
}: NonNullable<ComparedQuota['increase']>): string =>
  `aws service-quotas request-service-quota-increase --region ${region} --service-code ${serviceCode} --quota-code ${quotaCode} --desired-value ${desiredValue}`;
