/**
 * The size in bytes of a number in DynamoDB's protocol, such as `-12.5`, as AWS was measured to count it: one byte, plus
 * half of the digits before and half of the digits after the decimal point, each rounded up, plus one for a minus sign.
 * Leading and trailing zeros are not counted. The rule in AWS's documentation is an approximation.
 */
export function numberSize(number: string): number {
  const [digits = '', exponent = '0'] = number.replace(/^[-+]/, '').split(/e/i);
  const [before = '', after = ''] = digits.split('.');
  const fromFirst = `${before}${after}`.replace(/^0+/, '');
  const significant = fromFirst.replace(/0+$/, '').length;
  if (significant === 0) return 1;
  const beforePoint = fromFirst.length - after.length + Number(exponent);
  const integers = Math.min(Math.max(beforePoint, 0), significant);
  return (
    1 + Math.ceil(integers / 2) + Math.ceil((significant - integers) / 2) + (number.startsWith('-') ? 1 : 0)
  );
}
