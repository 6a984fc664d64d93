/**
 * The metric of decisions about incoming mail: 1 for a mail in quarantine, 0 for any other. So its average is the share of
 * quarantined mails, and its number of samples is the number of mails.
 */
export const quarantineMetric = 'QuarantinedMails';
