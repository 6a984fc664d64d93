export const channels = ['website', 'weekly_email_digest', 'monthly_email_digest', 'email', 'sms'] as const;
export type Channel = (typeof channels)[number];
