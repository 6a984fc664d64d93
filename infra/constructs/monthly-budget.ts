import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';

interface MonthlyBudgetProps {
  stage: StageSettings;
  dollars: number;
  /** Who hears of it. */
  emails: readonly string[];
}

/** Tells when the AWS account has cost most of what it may in a month, and when it is about to cost more. It stops nothing. */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { stage, dollars, emails }: MonthlyBudgetProps) {
    super(scope, id);
    const subscribers = emails.map((address) => ({ address, subscriptionType: 'EMAIL' }));
    const past = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        threshold,
        thresholdType: 'PERCENTAGE',
        comparisonOperator: 'GREATER_THAN',
      },
      subscribers,
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: nameIn(stage),
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [past('ACTUAL', 80), past('FORECASTED', 100)],
    });
  }
}
