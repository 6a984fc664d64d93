import { type StageSettings, stageNamed } from '../../infra/stages.ts';

/** Prod as its operator completes it. */
export const completedProd: StageSettings = {
  ...stageNamed('prod'),
  alarmEmails: ['ada@example.com', 'grace@example.com'],
  mailFrom: 'Acme <notifications@example.com>',
  awsAccount: '123456789012',
  region: 'eu-central-1',
  monthlyBudget: 500,
  domain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/one',
  },
};
