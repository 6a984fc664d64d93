/**
 * The regions of SES, as in AWS CLI 1.46.3 ("Amazon Simple Email Service endpoints and quotas" in the AWS General Reference).
 * A region of SES may still be unable to receive mail. The handbook has the command that shows this.
 */
export const sesRegions: readonly string[] = `
  af-south-1
  ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2
  ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-5
  ca-central-1 ca-west-1
  eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-west-1 eu-west-2 eu-west-3
  il-central-1 me-central-1 me-south-1
  sa-east-1
  us-east-1 us-east-2 us-west-1 us-west-2
`
  .trim()
  .split(/\s+/);
