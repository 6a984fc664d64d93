import { type StageSettings, stageNamed } from '../../infra/stages.ts';

/** The settings of `prod` with the values that an operator adds. */
export const completedProd: StageSettings = {
  ...stageNamed('prod'),
  alarmEmails: ['ada@example.com', 'grace@example.com'],
  mailFrom: 'Acme <notifications@example.com>',
  mailDomain: 'mail.example.com',
  awsAccount: '123456789012',
  region: 'eu-central-1',
  monthlyBudget: 500,
  domain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/one',
  },
};
