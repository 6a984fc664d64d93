import { text } from 'node:stream/consumers';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

type SerializeRequest = AwsJson1_0Protocol['serializeRequest'];
type DeserializeResponse = AwsJson1_0Protocol['deserializeResponse'];

/**
 * DynamoDB's protocol without the SDK's conversion of each value by its schema, which takes a quarter of the CPU time of
 * a request. Attributes such as `{"S": "…"}` are sent and returned as they are in JSON. The differences:
 *
 * - Binary values are base64 in both directions. The table has no such values.
 * - Times in responses are numbers: seconds since 1970.
 * - The client sets no `ClientRequestToken`.
 *
 * Errors are deserialized by the SDK.
 */
export class PlainJsonProtocol extends AwsJson1_0Protocol {
  override async serializeRequest<Input extends object>(
    schema: Parameters<SerializeRequest>[0],
    input: Input,
    context: Parameters<SerializeRequest>[2],
  ): ReturnType<SerializeRequest> {
    const request = await super.serializeRequest(schema, {}, context);
    request.body = JSON.stringify(input);
    return request;
  }

  override async deserializeResponse<Output extends { $metadata: object }>(
    schema: Parameters<DeserializeResponse>[0],
    context: Parameters<DeserializeResponse>[1],
    response: Parameters<DeserializeResponse>[2],
  ): Promise<Output> {
    if (this.isErrorResponse(response.statusCode))
      return super.deserializeResponse<never>(schema, context, response);
    const output = JSON.parse(await text(response.body));
    // As in the SDK, a member that is null is missing.
    for (const name in output) if (output[name] === null) delete output[name];
    return { ...output, $metadata: this.deserializeMetadata(response) };
  }
}
