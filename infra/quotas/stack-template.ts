/** A stack's template, with what its names and ARNs depend on. */
export interface StackTemplate {
  /** The name of the stack, such as `merchant-ops-prod-events`. */
  name: string;
  /** The region for which lengths are computed. */
  region: string;
  template: CloudFormationTemplate;
}

export interface CloudFormationTemplate {
  Resources?: Readonly<Record<string, TemplateResource>>;
  Outputs?: Readonly<Record<string, TemplateOutput>>;
  Parameters?: Readonly<Record<string, { Default?: unknown }>>;
}

export interface TemplateResource {
  Type: string;
  Properties?: Properties;
}

export type Properties = Readonly<Record<string, unknown>>;

interface TemplateOutput {
  Value: unknown;
  Description?: string;
  Export?: { Name: unknown };
}
