var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esm = (fn, res, err2) => function __init() {
  if (err2) throw err2[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e3) {
    throw err2 = [e3], e3;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// node_modules/@smithy/core/dist-es/submodules/event-streams/index.js
var event_streams_exports = {};
__export(event_streams_exports, {
  DefaultRateLimiter: () => Unsupported,
  EndpointCache: () => EndpointCache2,
  Sha256Js: () => Unsupported
});
var Unsupported, EndpointCache2;
var init_event_streams = __esm({
  "node_modules/@smithy/core/dist-es/submodules/event-streams/index.js"() {
    Unsupported = class {
      constructor() {
        throw new Error("This class of the SDK is not part of the bundles.");
      }
    };
    EndpointCache2 = class {
    };
  }
});

// <stdin>
var stdin_exports = {};
__export(stdin_exports, {
  Account: () => Account,
  AccountEntry: () => AccountEntry,
  AccountInvitation: () => AccountInvitation,
  AccountParams: () => AccountParams,
  AccountPatch: () => AccountPatch,
  UpdatedAccount: () => UpdatedAccount,
  accountId: () => accountId,
  array: () => array,
  boolean: () => boolean2,
  clearable: () => clearable,
  credential: () => credential,
  date: () => date,
  dateTime: () => dateTime,
  decimal: () => decimal,
  defaultCountry: () => defaultCountry,
  dynamodb: () => dist_es_exports,
  email: () => email,
  enteredSecret: () => enteredSecret,
  expiry: () => expiry,
  integer: () => integer2,
  kms: () => dist_es_exports2,
  mapOf: () => mapOf,
  multilineText: () => multilineText,
  nameText: () => nameText,
  nullable: () => nullable,
  number: () => number2,
  object: () => object,
  oneOf: () => oneOf,
  openObject: () => openObject,
  optional: () => same,
  partial: () => partial,
  recordId: () => recordId,
  sensitive: () => sensitive,
  string: () => string,
  union: () => union,
  uniqueId: () => uniqueId,
  unsafe: () => unsafe,
  webAddress: () => webAddress
});
module.exports = __toCommonJS(stdin_exports);

// node_modules/@aws-sdk/client-dynamodb/dist-es/index.js
var dist_es_exports = {};
__export(dist_es_exports, {
  $Command: () => Command,
  ApproximateCreationDateTimePrecision: () => ApproximateCreationDateTimePrecision,
  ArchivalSummary$: () => ArchivalSummary$,
  AttributeAction: () => AttributeAction,
  AttributeDefinition$: () => AttributeDefinition$,
  AttributeValue$: () => AttributeValue$,
  AttributeValueUpdate$: () => AttributeValueUpdate$,
  AutoScalingPolicyDescription$: () => AutoScalingPolicyDescription$,
  AutoScalingPolicyUpdate$: () => AutoScalingPolicyUpdate$,
  AutoScalingSettingsDescription$: () => AutoScalingSettingsDescription$,
  AutoScalingSettingsUpdate$: () => AutoScalingSettingsUpdate$,
  AutoScalingTargetTrackingScalingPolicyConfigurationDescription$: () => AutoScalingTargetTrackingScalingPolicyConfigurationDescription$,
  AutoScalingTargetTrackingScalingPolicyConfigurationUpdate$: () => AutoScalingTargetTrackingScalingPolicyConfigurationUpdate$,
  BackupDescription$: () => BackupDescription$,
  BackupDetails$: () => BackupDetails$,
  BackupInUseException: () => BackupInUseException,
  BackupInUseException$: () => BackupInUseException$,
  BackupNotFoundException: () => BackupNotFoundException,
  BackupNotFoundException$: () => BackupNotFoundException$,
  BackupStatus: () => BackupStatus,
  BackupSummary$: () => BackupSummary$,
  BackupType: () => BackupType,
  BackupTypeFilter: () => BackupTypeFilter,
  BatchExecuteStatement$: () => BatchExecuteStatement$,
  BatchExecuteStatementCommand: () => BatchExecuteStatementCommand,
  BatchExecuteStatementInput$: () => BatchExecuteStatementInput$,
  BatchExecuteStatementOutput$: () => BatchExecuteStatementOutput$,
  BatchGetItem$: () => BatchGetItem$,
  BatchGetItemCommand: () => BatchGetItemCommand,
  BatchGetItemInput$: () => BatchGetItemInput$,
  BatchGetItemOutput$: () => BatchGetItemOutput$,
  BatchStatementError$: () => BatchStatementError$,
  BatchStatementErrorCodeEnum: () => BatchStatementErrorCodeEnum,
  BatchStatementRequest$: () => BatchStatementRequest$,
  BatchStatementResponse$: () => BatchStatementResponse$,
  BatchWriteItem$: () => BatchWriteItem$,
  BatchWriteItemCommand: () => BatchWriteItemCommand,
  BatchWriteItemInput$: () => BatchWriteItemInput$,
  BatchWriteItemOutput$: () => BatchWriteItemOutput$,
  BillingMode: () => BillingMode,
  BillingModeSummary$: () => BillingModeSummary$,
  BulkOperationBytes$: () => BulkOperationBytes$,
  BulkOperationDescription$: () => BulkOperationDescription$,
  BulkOperationInputFormat: () => BulkOperationInputFormat,
  BulkOperationPerformanceTier: () => BulkOperationPerformanceTier,
  BulkOperationStatus: () => BulkOperationStatus,
  BulkOperationSummary$: () => BulkOperationSummary$,
  BulkOperationTableDetail$: () => BulkOperationTableDetail$,
  BulkOperationUsage$: () => BulkOperationUsage$,
  BulkOperationVectorBytes$: () => BulkOperationVectorBytes$,
  CancelBulkOperation$: () => CancelBulkOperation$,
  CancelBulkOperationCommand: () => CancelBulkOperationCommand,
  CancelBulkOperationInput$: () => CancelBulkOperationInput$,
  CancelBulkOperationOutput$: () => CancelBulkOperationOutput$,
  CancellationReason$: () => CancellationReason$,
  Capacity$: () => Capacity$,
  ComparisonOperator: () => ComparisonOperator,
  Condition$: () => Condition$,
  ConditionCheck$: () => ConditionCheck$,
  ConditionalCheckFailedException: () => ConditionalCheckFailedException,
  ConditionalCheckFailedException$: () => ConditionalCheckFailedException$,
  ConditionalOperator: () => ConditionalOperator,
  ConsumedCapacity$: () => ConsumedCapacity$,
  ContinuousBackupsDescription$: () => ContinuousBackupsDescription$,
  ContinuousBackupsStatus: () => ContinuousBackupsStatus,
  ContinuousBackupsUnavailableException: () => ContinuousBackupsUnavailableException,
  ContinuousBackupsUnavailableException$: () => ContinuousBackupsUnavailableException$,
  ContributorInsightsAction: () => ContributorInsightsAction,
  ContributorInsightsMode: () => ContributorInsightsMode,
  ContributorInsightsStatus: () => ContributorInsightsStatus,
  ContributorInsightsSummary$: () => ContributorInsightsSummary$,
  CreateBackup$: () => CreateBackup$,
  CreateBackupCommand: () => CreateBackupCommand,
  CreateBackupInput$: () => CreateBackupInput$,
  CreateBackupOutput$: () => CreateBackupOutput$,
  CreateGlobalSecondaryIndexAction$: () => CreateGlobalSecondaryIndexAction$,
  CreateGlobalTable$: () => CreateGlobalTable$,
  CreateGlobalTableCommand: () => CreateGlobalTableCommand,
  CreateGlobalTableInput$: () => CreateGlobalTableInput$,
  CreateGlobalTableOutput$: () => CreateGlobalTableOutput$,
  CreateGlobalTableWitnessGroupMemberAction$: () => CreateGlobalTableWitnessGroupMemberAction$,
  CreateReplicaAction$: () => CreateReplicaAction$,
  CreateReplicationGroupMemberAction$: () => CreateReplicationGroupMemberAction$,
  CreateTable$: () => CreateTable$,
  CreateTableCommand: () => CreateTableCommand,
  CreateTableInput$: () => CreateTableInput$,
  CreateTableOutput$: () => CreateTableOutput$,
  CreateVectorIndexAction$: () => CreateVectorIndexAction$,
  CsvOptions$: () => CsvOptions$,
  Delete$: () => Delete$,
  DeleteBackup$: () => DeleteBackup$,
  DeleteBackupCommand: () => DeleteBackupCommand,
  DeleteBackupInput$: () => DeleteBackupInput$,
  DeleteBackupOutput$: () => DeleteBackupOutput$,
  DeleteGlobalSecondaryIndexAction$: () => DeleteGlobalSecondaryIndexAction$,
  DeleteGlobalTableWitnessGroupMemberAction$: () => DeleteGlobalTableWitnessGroupMemberAction$,
  DeleteItem$: () => DeleteItem$,
  DeleteItemCommand: () => DeleteItemCommand,
  DeleteItemInput$: () => DeleteItemInput$,
  DeleteItemOutput$: () => DeleteItemOutput$,
  DeleteReplicaAction$: () => DeleteReplicaAction$,
  DeleteReplicationGroupMemberAction$: () => DeleteReplicationGroupMemberAction$,
  DeleteRequest$: () => DeleteRequest$,
  DeleteResourcePolicy$: () => DeleteResourcePolicy$,
  DeleteResourcePolicyCommand: () => DeleteResourcePolicyCommand,
  DeleteResourcePolicyInput$: () => DeleteResourcePolicyInput$,
  DeleteResourcePolicyOutput$: () => DeleteResourcePolicyOutput$,
  DeleteTable$: () => DeleteTable$,
  DeleteTableCommand: () => DeleteTableCommand,
  DeleteTableInput$: () => DeleteTableInput$,
  DeleteTableOutput$: () => DeleteTableOutput$,
  DeleteVectorIndexAction$: () => DeleteVectorIndexAction$,
  DescribeBackup$: () => DescribeBackup$,
  DescribeBackupCommand: () => DescribeBackupCommand,
  DescribeBackupInput$: () => DescribeBackupInput$,
  DescribeBackupOutput$: () => DescribeBackupOutput$,
  DescribeBulkOperation$: () => DescribeBulkOperation$,
  DescribeBulkOperationCommand: () => DescribeBulkOperationCommand,
  DescribeBulkOperationInput$: () => DescribeBulkOperationInput$,
  DescribeBulkOperationOutput$: () => DescribeBulkOperationOutput$,
  DescribeContinuousBackups$: () => DescribeContinuousBackups$,
  DescribeContinuousBackupsCommand: () => DescribeContinuousBackupsCommand,
  DescribeContinuousBackupsInput$: () => DescribeContinuousBackupsInput$,
  DescribeContinuousBackupsOutput$: () => DescribeContinuousBackupsOutput$,
  DescribeContributorInsights$: () => DescribeContributorInsights$,
  DescribeContributorInsightsCommand: () => DescribeContributorInsightsCommand,
  DescribeContributorInsightsInput$: () => DescribeContributorInsightsInput$,
  DescribeContributorInsightsOutput$: () => DescribeContributorInsightsOutput$,
  DescribeEndpoints$: () => DescribeEndpoints$,
  DescribeEndpointsCommand: () => DescribeEndpointsCommand,
  DescribeEndpointsRequest$: () => DescribeEndpointsRequest$,
  DescribeEndpointsResponse$: () => DescribeEndpointsResponse$,
  DescribeExport$: () => DescribeExport$,
  DescribeExportCommand: () => DescribeExportCommand,
  DescribeExportInput$: () => DescribeExportInput$,
  DescribeExportOutput$: () => DescribeExportOutput$,
  DescribeGlobalTable$: () => DescribeGlobalTable$,
  DescribeGlobalTableCommand: () => DescribeGlobalTableCommand,
  DescribeGlobalTableInput$: () => DescribeGlobalTableInput$,
  DescribeGlobalTableOutput$: () => DescribeGlobalTableOutput$,
  DescribeGlobalTableSettings$: () => DescribeGlobalTableSettings$,
  DescribeGlobalTableSettingsCommand: () => DescribeGlobalTableSettingsCommand,
  DescribeGlobalTableSettingsInput$: () => DescribeGlobalTableSettingsInput$,
  DescribeGlobalTableSettingsOutput$: () => DescribeGlobalTableSettingsOutput$,
  DescribeImport$: () => DescribeImport$,
  DescribeImportCommand: () => DescribeImportCommand,
  DescribeImportInput$: () => DescribeImportInput$,
  DescribeImportOutput$: () => DescribeImportOutput$,
  DescribeKinesisStreamingDestination$: () => DescribeKinesisStreamingDestination$,
  DescribeKinesisStreamingDestinationCommand: () => DescribeKinesisStreamingDestinationCommand,
  DescribeKinesisStreamingDestinationInput$: () => DescribeKinesisStreamingDestinationInput$,
  DescribeKinesisStreamingDestinationOutput$: () => DescribeKinesisStreamingDestinationOutput$,
  DescribeLimits$: () => DescribeLimits$,
  DescribeLimitsCommand: () => DescribeLimitsCommand,
  DescribeLimitsInput$: () => DescribeLimitsInput$,
  DescribeLimitsOutput$: () => DescribeLimitsOutput$,
  DescribeTable$: () => DescribeTable$,
  DescribeTableCommand: () => DescribeTableCommand,
  DescribeTableInput$: () => DescribeTableInput$,
  DescribeTableOutput$: () => DescribeTableOutput$,
  DescribeTableReplicaAutoScaling$: () => DescribeTableReplicaAutoScaling$,
  DescribeTableReplicaAutoScalingCommand: () => DescribeTableReplicaAutoScalingCommand,
  DescribeTableReplicaAutoScalingInput$: () => DescribeTableReplicaAutoScalingInput$,
  DescribeTableReplicaAutoScalingOutput$: () => DescribeTableReplicaAutoScalingOutput$,
  DescribeTimeToLive$: () => DescribeTimeToLive$,
  DescribeTimeToLiveCommand: () => DescribeTimeToLiveCommand,
  DescribeTimeToLiveInput$: () => DescribeTimeToLiveInput$,
  DescribeTimeToLiveOutput$: () => DescribeTimeToLiveOutput$,
  DestinationStatus: () => DestinationStatus,
  DisableKinesisStreamingDestination$: () => DisableKinesisStreamingDestination$,
  DisableKinesisStreamingDestinationCommand: () => DisableKinesisStreamingDestinationCommand,
  DisassociateReplicationGroupMemberAction$: () => DisassociateReplicationGroupMemberAction$,
  DisassociationMode: () => DisassociationMode,
  DuplicateItemException: () => DuplicateItemException,
  DuplicateItemException$: () => DuplicateItemException$,
  DynamoDB: () => DynamoDB,
  DynamoDBClient: () => DynamoDBClient,
  DynamoDBServiceException: () => DynamoDBServiceException,
  DynamoDBServiceException$: () => DynamoDBServiceException$,
  EnableKinesisStreamingConfiguration$: () => EnableKinesisStreamingConfiguration$,
  EnableKinesisStreamingDestination$: () => EnableKinesisStreamingDestination$,
  EnableKinesisStreamingDestinationCommand: () => EnableKinesisStreamingDestinationCommand,
  Endpoint$: () => Endpoint$,
  ExecuteStatement$: () => ExecuteStatement$,
  ExecuteStatementCommand: () => ExecuteStatementCommand,
  ExecuteStatementInput$: () => ExecuteStatementInput$,
  ExecuteStatementOutput$: () => ExecuteStatementOutput$,
  ExecuteTransaction$: () => ExecuteTransaction$,
  ExecuteTransactionCommand: () => ExecuteTransactionCommand,
  ExecuteTransactionInput$: () => ExecuteTransactionInput$,
  ExecuteTransactionOutput$: () => ExecuteTransactionOutput$,
  ExpectedAttributeValue$: () => ExpectedAttributeValue$,
  ExportConflictException: () => ExportConflictException,
  ExportConflictException$: () => ExportConflictException$,
  ExportDescription$: () => ExportDescription$,
  ExportFormat: () => ExportFormat,
  ExportNotFoundException: () => ExportNotFoundException,
  ExportNotFoundException$: () => ExportNotFoundException$,
  ExportStatus: () => ExportStatus,
  ExportSummary$: () => ExportSummary$,
  ExportTableToPointInTime$: () => ExportTableToPointInTime$,
  ExportTableToPointInTimeCommand: () => ExportTableToPointInTimeCommand,
  ExportTableToPointInTimeInput$: () => ExportTableToPointInTimeInput$,
  ExportTableToPointInTimeOutput$: () => ExportTableToPointInTimeOutput$,
  ExportType: () => ExportType,
  ExportViewType: () => ExportViewType,
  FailureException$: () => FailureException$,
  FilterSpecification$: () => FilterSpecification$,
  Get$: () => Get$,
  GetItem$: () => GetItem$,
  GetItemCommand: () => GetItemCommand,
  GetItemInput$: () => GetItemInput$,
  GetItemOutput$: () => GetItemOutput$,
  GetResourcePolicy$: () => GetResourcePolicy$,
  GetResourcePolicyCommand: () => GetResourcePolicyCommand,
  GetResourcePolicyInput$: () => GetResourcePolicyInput$,
  GetResourcePolicyOutput$: () => GetResourcePolicyOutput$,
  GlobalSecondaryIndex$: () => GlobalSecondaryIndex$,
  GlobalSecondaryIndexAutoScalingUpdate$: () => GlobalSecondaryIndexAutoScalingUpdate$,
  GlobalSecondaryIndexDescription$: () => GlobalSecondaryIndexDescription$,
  GlobalSecondaryIndexInfo$: () => GlobalSecondaryIndexInfo$,
  GlobalSecondaryIndexUpdate$: () => GlobalSecondaryIndexUpdate$,
  GlobalSecondaryIndexWarmThroughputDescription$: () => GlobalSecondaryIndexWarmThroughputDescription$,
  GlobalTable$: () => GlobalTable$,
  GlobalTableAlreadyExistsException: () => GlobalTableAlreadyExistsException,
  GlobalTableAlreadyExistsException$: () => GlobalTableAlreadyExistsException$,
  GlobalTableDescription$: () => GlobalTableDescription$,
  GlobalTableGlobalSecondaryIndexSettingsUpdate$: () => GlobalTableGlobalSecondaryIndexSettingsUpdate$,
  GlobalTableNotFoundException: () => GlobalTableNotFoundException,
  GlobalTableNotFoundException$: () => GlobalTableNotFoundException$,
  GlobalTableSettingsReplicationMode: () => GlobalTableSettingsReplicationMode,
  GlobalTableStatus: () => GlobalTableStatus,
  GlobalTableWitnessDescription$: () => GlobalTableWitnessDescription$,
  GlobalTableWitnessGroupUpdate$: () => GlobalTableWitnessGroupUpdate$,
  IdempotentParameterMismatchException: () => IdempotentParameterMismatchException,
  IdempotentParameterMismatchException$: () => IdempotentParameterMismatchException$,
  ImportConflictException: () => ImportConflictException,
  ImportConflictException$: () => ImportConflictException$,
  ImportNotFoundException: () => ImportNotFoundException,
  ImportNotFoundException$: () => ImportNotFoundException$,
  ImportStatus: () => ImportStatus,
  ImportSummary$: () => ImportSummary$,
  ImportTable$: () => ImportTable$,
  ImportTableCommand: () => ImportTableCommand,
  ImportTableDescription$: () => ImportTableDescription$,
  ImportTableInput$: () => ImportTableInput$,
  ImportTableOutput$: () => ImportTableOutput$,
  IncrementalExportSpecification$: () => IncrementalExportSpecification$,
  IndexNotFoundException: () => IndexNotFoundException,
  IndexNotFoundException$: () => IndexNotFoundException$,
  IndexStatus: () => IndexStatus,
  InputCompressionType: () => InputCompressionType,
  InputFormat: () => InputFormat,
  InputFormatOptions$: () => InputFormatOptions$,
  InputS3Configuration$: () => InputS3Configuration$,
  InternalServerError: () => InternalServerError,
  InternalServerError$: () => InternalServerError$,
  InvalidEndpointException: () => InvalidEndpointException,
  InvalidEndpointException$: () => InvalidEndpointException$,
  InvalidExportTimeException: () => InvalidExportTimeException,
  InvalidExportTimeException$: () => InvalidExportTimeException$,
  InvalidRestoreTimeException: () => InvalidRestoreTimeException,
  InvalidRestoreTimeException$: () => InvalidRestoreTimeException$,
  ItemCollectionMetrics$: () => ItemCollectionMetrics$,
  ItemCollectionSizeLimitExceededException: () => ItemCollectionSizeLimitExceededException,
  ItemCollectionSizeLimitExceededException$: () => ItemCollectionSizeLimitExceededException$,
  ItemResponse$: () => ItemResponse$,
  KeySchemaElement$: () => KeySchemaElement$,
  KeyType: () => KeyType,
  KeysAndAttributes$: () => KeysAndAttributes$,
  KinesisDataStreamDestination$: () => KinesisDataStreamDestination$,
  KinesisStreamingDestinationInput$: () => KinesisStreamingDestinationInput$,
  KinesisStreamingDestinationOutput$: () => KinesisStreamingDestinationOutput$,
  LimitExceededException: () => LimitExceededException,
  LimitExceededException$: () => LimitExceededException$,
  ListBackups$: () => ListBackups$,
  ListBackupsCommand: () => ListBackupsCommand,
  ListBackupsInput$: () => ListBackupsInput$,
  ListBackupsOutput$: () => ListBackupsOutput$,
  ListBulkOperations$: () => ListBulkOperations$,
  ListBulkOperationsCommand: () => ListBulkOperationsCommand,
  ListBulkOperationsInput$: () => ListBulkOperationsInput$,
  ListBulkOperationsOutput$: () => ListBulkOperationsOutput$,
  ListContributorInsights$: () => ListContributorInsights$,
  ListContributorInsightsCommand: () => ListContributorInsightsCommand,
  ListContributorInsightsInput$: () => ListContributorInsightsInput$,
  ListContributorInsightsOutput$: () => ListContributorInsightsOutput$,
  ListExports$: () => ListExports$,
  ListExportsCommand: () => ListExportsCommand,
  ListExportsInput$: () => ListExportsInput$,
  ListExportsOutput$: () => ListExportsOutput$,
  ListGlobalTables$: () => ListGlobalTables$,
  ListGlobalTablesCommand: () => ListGlobalTablesCommand,
  ListGlobalTablesInput$: () => ListGlobalTablesInput$,
  ListGlobalTablesOutput$: () => ListGlobalTablesOutput$,
  ListImports$: () => ListImports$,
  ListImportsCommand: () => ListImportsCommand,
  ListImportsInput$: () => ListImportsInput$,
  ListImportsOutput$: () => ListImportsOutput$,
  ListTables$: () => ListTables$,
  ListTablesCommand: () => ListTablesCommand,
  ListTablesInput$: () => ListTablesInput$,
  ListTablesOutput$: () => ListTablesOutput$,
  ListTagsOfResource$: () => ListTagsOfResource$,
  ListTagsOfResourceCommand: () => ListTagsOfResourceCommand,
  ListTagsOfResourceInput$: () => ListTagsOfResourceInput$,
  ListTagsOfResourceOutput$: () => ListTagsOfResourceOutput$,
  LocalSecondaryIndex$: () => LocalSecondaryIndex$,
  LocalSecondaryIndexDescription$: () => LocalSecondaryIndexDescription$,
  LocalSecondaryIndexInfo$: () => LocalSecondaryIndexInfo$,
  MultiRegionConsistency: () => MultiRegionConsistency,
  OnDemandThroughput$: () => OnDemandThroughput$,
  OnDemandThroughputOverride$: () => OnDemandThroughputOverride$,
  OutputS3Configuration$: () => OutputS3Configuration$,
  OutputTypeEnum: () => OutputTypeEnum,
  ParameterizedStatement$: () => ParameterizedStatement$,
  PointInTimeRecoveryDescription$: () => PointInTimeRecoveryDescription$,
  PointInTimeRecoverySpecification$: () => PointInTimeRecoverySpecification$,
  PointInTimeRecoveryStatus: () => PointInTimeRecoveryStatus,
  PointInTimeRecoveryUnavailableException: () => PointInTimeRecoveryUnavailableException,
  PointInTimeRecoveryUnavailableException$: () => PointInTimeRecoveryUnavailableException$,
  PolicyNotFoundException: () => PolicyNotFoundException,
  PolicyNotFoundException$: () => PolicyNotFoundException$,
  Projection$: () => Projection$,
  ProjectionType: () => ProjectionType,
  ProvisionedThroughput$: () => ProvisionedThroughput$,
  ProvisionedThroughputDescription$: () => ProvisionedThroughputDescription$,
  ProvisionedThroughputExceededException: () => ProvisionedThroughputExceededException,
  ProvisionedThroughputExceededException$: () => ProvisionedThroughputExceededException$,
  ProvisionedThroughputOverride$: () => ProvisionedThroughputOverride$,
  Put$: () => Put$,
  PutItem$: () => PutItem$,
  PutItemCommand: () => PutItemCommand,
  PutItemInput$: () => PutItemInput$,
  PutItemOutput$: () => PutItemOutput$,
  PutRequest$: () => PutRequest$,
  PutResourcePolicy$: () => PutResourcePolicy$,
  PutResourcePolicyCommand: () => PutResourcePolicyCommand,
  PutResourcePolicyInput$: () => PutResourcePolicyInput$,
  PutResourcePolicyOutput$: () => PutResourcePolicyOutput$,
  Query$: () => Query$,
  QueryCommand: () => QueryCommand,
  QueryInput$: () => QueryInput$,
  QueryOutput$: () => QueryOutput$,
  Replica$: () => Replica$,
  ReplicaAlreadyExistsException: () => ReplicaAlreadyExistsException,
  ReplicaAlreadyExistsException$: () => ReplicaAlreadyExistsException$,
  ReplicaAutoScalingDescription$: () => ReplicaAutoScalingDescription$,
  ReplicaAutoScalingUpdate$: () => ReplicaAutoScalingUpdate$,
  ReplicaDescription$: () => ReplicaDescription$,
  ReplicaGlobalSecondaryIndex$: () => ReplicaGlobalSecondaryIndex$,
  ReplicaGlobalSecondaryIndexAutoScalingDescription$: () => ReplicaGlobalSecondaryIndexAutoScalingDescription$,
  ReplicaGlobalSecondaryIndexAutoScalingUpdate$: () => ReplicaGlobalSecondaryIndexAutoScalingUpdate$,
  ReplicaGlobalSecondaryIndexDescription$: () => ReplicaGlobalSecondaryIndexDescription$,
  ReplicaGlobalSecondaryIndexSettingsDescription$: () => ReplicaGlobalSecondaryIndexSettingsDescription$,
  ReplicaGlobalSecondaryIndexSettingsUpdate$: () => ReplicaGlobalSecondaryIndexSettingsUpdate$,
  ReplicaNotFoundException: () => ReplicaNotFoundException,
  ReplicaNotFoundException$: () => ReplicaNotFoundException$,
  ReplicaSettingsDescription$: () => ReplicaSettingsDescription$,
  ReplicaSettingsUpdate$: () => ReplicaSettingsUpdate$,
  ReplicaStatus: () => ReplicaStatus,
  ReplicaUpdate$: () => ReplicaUpdate$,
  ReplicatedWriteConflictException: () => ReplicatedWriteConflictException,
  ReplicatedWriteConflictException$: () => ReplicatedWriteConflictException$,
  ReplicationGroupUpdate$: () => ReplicationGroupUpdate$,
  RequestLimitExceeded: () => RequestLimitExceeded,
  RequestLimitExceeded$: () => RequestLimitExceeded$,
  ResourceInUseException: () => ResourceInUseException,
  ResourceInUseException$: () => ResourceInUseException$,
  ResourceNotFoundException: () => ResourceNotFoundException,
  ResourceNotFoundException$: () => ResourceNotFoundException$,
  RestoreSummary$: () => RestoreSummary$,
  RestoreTableFromBackup$: () => RestoreTableFromBackup$,
  RestoreTableFromBackupCommand: () => RestoreTableFromBackupCommand,
  RestoreTableFromBackupInput$: () => RestoreTableFromBackupInput$,
  RestoreTableFromBackupOutput$: () => RestoreTableFromBackupOutput$,
  RestoreTableToPointInTime$: () => RestoreTableToPointInTime$,
  RestoreTableToPointInTimeCommand: () => RestoreTableToPointInTimeCommand,
  RestoreTableToPointInTimeInput$: () => RestoreTableToPointInTimeInput$,
  RestoreTableToPointInTimeOutput$: () => RestoreTableToPointInTimeOutput$,
  ReturnConsumedCapacity: () => ReturnConsumedCapacity,
  ReturnItemCollectionMetrics: () => ReturnItemCollectionMetrics,
  ReturnValue: () => ReturnValue,
  ReturnValuesOnConditionCheckFailure: () => ReturnValuesOnConditionCheckFailure,
  S3BucketSource$: () => S3BucketSource$,
  S3SseAlgorithm: () => S3SseAlgorithm,
  SSEDescription$: () => SSEDescription$,
  SSESpecification$: () => SSESpecification$,
  SSEStatus: () => SSEStatus,
  SSEType: () => SSEType,
  ScalarAttributeType: () => ScalarAttributeType,
  Scan$: () => Scan$,
  ScanCommand: () => ScanCommand,
  ScanInput$: () => ScanInput$,
  ScanOutput$: () => ScanOutput$,
  SearchResultItem$: () => SearchResultItem$,
  SearchSchemaElement$: () => SearchSchemaElement$,
  SearchSchemaElementType: () => SearchSchemaElementType,
  SearchVectors$: () => SearchVectors$,
  SearchVectorsCommand: () => SearchVectorsCommand,
  SearchVectorsInput$: () => SearchVectorsInput$,
  SearchVectorsOutput$: () => SearchVectorsOutput$,
  Select: () => Select,
  SourceTableDetails$: () => SourceTableDetails$,
  SourceTableFeatureDetails$: () => SourceTableFeatureDetails$,
  StartBulkPutItems$: () => StartBulkPutItems$,
  StartBulkPutItemsCommand: () => StartBulkPutItemsCommand,
  StartBulkPutItemsInput$: () => StartBulkPutItemsInput$,
  StartBulkPutItemsOutput$: () => StartBulkPutItemsOutput$,
  StreamSpecification$: () => StreamSpecification$,
  StreamViewType: () => StreamViewType,
  TableAlreadyExistsException: () => TableAlreadyExistsException,
  TableAlreadyExistsException$: () => TableAlreadyExistsException$,
  TableAutoScalingDescription$: () => TableAutoScalingDescription$,
  TableClass: () => TableClass,
  TableClassSummary$: () => TableClassSummary$,
  TableCreationParameters$: () => TableCreationParameters$,
  TableDescription$: () => TableDescription$,
  TableInUseException: () => TableInUseException,
  TableInUseException$: () => TableInUseException$,
  TableNotFoundException: () => TableNotFoundException,
  TableNotFoundException$: () => TableNotFoundException$,
  TableStatus: () => TableStatus,
  TableWarmThroughputDescription$: () => TableWarmThroughputDescription$,
  Tag$: () => Tag$,
  TagResource$: () => TagResource$,
  TagResourceCommand: () => TagResourceCommand,
  TagResourceInput$: () => TagResourceInput$,
  ThrottlingException: () => ThrottlingException,
  ThrottlingException$: () => ThrottlingException$,
  ThrottlingReason$: () => ThrottlingReason$,
  TimeToLiveDescription$: () => TimeToLiveDescription$,
  TimeToLiveSpecification$: () => TimeToLiveSpecification$,
  TimeToLiveStatus: () => TimeToLiveStatus,
  TransactGetItem$: () => TransactGetItem$,
  TransactGetItems$: () => TransactGetItems$,
  TransactGetItemsCommand: () => TransactGetItemsCommand,
  TransactGetItemsInput$: () => TransactGetItemsInput$,
  TransactGetItemsOutput$: () => TransactGetItemsOutput$,
  TransactWriteItem$: () => TransactWriteItem$,
  TransactWriteItems$: () => TransactWriteItems$,
  TransactWriteItemsCommand: () => TransactWriteItemsCommand,
  TransactWriteItemsInput$: () => TransactWriteItemsInput$,
  TransactWriteItemsOutput$: () => TransactWriteItemsOutput$,
  TransactionCanceledException: () => TransactionCanceledException,
  TransactionCanceledException$: () => TransactionCanceledException$,
  TransactionConflictException: () => TransactionConflictException,
  TransactionConflictException$: () => TransactionConflictException$,
  TransactionInProgressException: () => TransactionInProgressException,
  TransactionInProgressException$: () => TransactionInProgressException$,
  UntagResource$: () => UntagResource$,
  UntagResourceCommand: () => UntagResourceCommand,
  UntagResourceInput$: () => UntagResourceInput$,
  Update$: () => Update$,
  UpdateContinuousBackups$: () => UpdateContinuousBackups$,
  UpdateContinuousBackupsCommand: () => UpdateContinuousBackupsCommand,
  UpdateContinuousBackupsInput$: () => UpdateContinuousBackupsInput$,
  UpdateContinuousBackupsOutput$: () => UpdateContinuousBackupsOutput$,
  UpdateContributorInsights$: () => UpdateContributorInsights$,
  UpdateContributorInsightsCommand: () => UpdateContributorInsightsCommand,
  UpdateContributorInsightsInput$: () => UpdateContributorInsightsInput$,
  UpdateContributorInsightsOutput$: () => UpdateContributorInsightsOutput$,
  UpdateGlobalSecondaryIndexAction$: () => UpdateGlobalSecondaryIndexAction$,
  UpdateGlobalTable$: () => UpdateGlobalTable$,
  UpdateGlobalTableCommand: () => UpdateGlobalTableCommand,
  UpdateGlobalTableInput$: () => UpdateGlobalTableInput$,
  UpdateGlobalTableOutput$: () => UpdateGlobalTableOutput$,
  UpdateGlobalTableSettings$: () => UpdateGlobalTableSettings$,
  UpdateGlobalTableSettingsCommand: () => UpdateGlobalTableSettingsCommand,
  UpdateGlobalTableSettingsInput$: () => UpdateGlobalTableSettingsInput$,
  UpdateGlobalTableSettingsOutput$: () => UpdateGlobalTableSettingsOutput$,
  UpdateItem$: () => UpdateItem$,
  UpdateItemCommand: () => UpdateItemCommand,
  UpdateItemInput$: () => UpdateItemInput$,
  UpdateItemOutput$: () => UpdateItemOutput$,
  UpdateKinesisStreamingConfiguration$: () => UpdateKinesisStreamingConfiguration$,
  UpdateKinesisStreamingDestination$: () => UpdateKinesisStreamingDestination$,
  UpdateKinesisStreamingDestinationCommand: () => UpdateKinesisStreamingDestinationCommand,
  UpdateKinesisStreamingDestinationInput$: () => UpdateKinesisStreamingDestinationInput$,
  UpdateKinesisStreamingDestinationOutput$: () => UpdateKinesisStreamingDestinationOutput$,
  UpdateReplicationGroupMemberAction$: () => UpdateReplicationGroupMemberAction$,
  UpdateTable$: () => UpdateTable$,
  UpdateTableCommand: () => UpdateTableCommand,
  UpdateTableInput$: () => UpdateTableInput$,
  UpdateTableOutput$: () => UpdateTableOutput$,
  UpdateTableReplicaAutoScaling$: () => UpdateTableReplicaAutoScaling$,
  UpdateTableReplicaAutoScalingCommand: () => UpdateTableReplicaAutoScalingCommand,
  UpdateTableReplicaAutoScalingInput$: () => UpdateTableReplicaAutoScalingInput$,
  UpdateTableReplicaAutoScalingOutput$: () => UpdateTableReplicaAutoScalingOutput$,
  UpdateTimeToLive$: () => UpdateTimeToLive$,
  UpdateTimeToLiveCommand: () => UpdateTimeToLiveCommand,
  UpdateTimeToLiveInput$: () => UpdateTimeToLiveInput$,
  UpdateTimeToLiveOutput$: () => UpdateTimeToLiveOutput$,
  VectorAttributeDefinition$: () => VectorAttributeDefinition$,
  VectorCapacity$: () => VectorCapacity$,
  VectorDistanceFunction: () => VectorDistanceFunction,
  VectorIndex$: () => VectorIndex$,
  VectorIndexDescription$: () => VectorIndexDescription$,
  VectorIndexInfo$: () => VectorIndexInfo$,
  VectorIndexUpdate$: () => VectorIndexUpdate$,
  WarmThroughput$: () => WarmThroughput$,
  WitnessStatus: () => WitnessStatus,
  WriteRequest$: () => WriteRequest$,
  __Client: () => Client,
  errorTypeRegistries: () => errorTypeRegistries,
  paginateListBulkOperations: () => paginateListBulkOperations,
  paginateListContributorInsights: () => paginateListContributorInsights,
  paginateListExports: () => paginateListExports,
  paginateListImports: () => paginateListImports,
  paginateListTables: () => paginateListTables,
  paginateQuery: () => paginateQuery,
  paginateScan: () => paginateScan,
  waitForBulkOperationCompleted: () => waitForBulkOperationCompleted,
  waitForContributorInsightsEnabled: () => waitForContributorInsightsEnabled,
  waitForExportCompleted: () => waitForExportCompleted,
  waitForImportCompleted: () => waitForImportCompleted,
  waitForKinesisStreamingDestinationActive: () => waitForKinesisStreamingDestinationActive,
  waitForTableExists: () => waitForTableExists,
  waitForTableNotExists: () => waitForTableNotExists,
  waitUntilBulkOperationCompleted: () => waitUntilBulkOperationCompleted,
  waitUntilContributorInsightsEnabled: () => waitUntilContributorInsightsEnabled,
  waitUntilExportCompleted: () => waitUntilExportCompleted,
  waitUntilImportCompleted: () => waitUntilImportCompleted,
  waitUntilKinesisStreamingDestinationActive: () => waitUntilKinesisStreamingDestinationActive,
  waitUntilTableExists: () => waitUntilTableExists,
  waitUntilTableNotExists: () => waitUntilTableNotExists
});

// node_modules/@smithy/core/dist-es/submodules/client/middleware-stack/MiddlewareStack.js
var getAllAliases = (name, aliases) => {
  const _aliases = [];
  if (name) {
    _aliases.push(name);
  }
  if (aliases) {
    for (const alias of aliases) {
      _aliases.push(alias);
    }
  }
  return _aliases;
};
var getMiddlewareNameWithAliases = (name, aliases) => {
  return `${name || "anonymous"}${aliases && aliases.length > 0 ? ` (a.k.a. ${aliases.join(",")})` : ""}`;
};
var constructStack = () => {
  let absoluteEntries = [];
  let relativeEntries = [];
  let identifyOnResolve = false;
  const entriesNameSet = /* @__PURE__ */ new Set();
  const sort = (entries) => entries.sort((a3, b3) => stepWeights[b3.step] - stepWeights[a3.step] || priorityWeights[b3.priority || "normal"] - priorityWeights[a3.priority || "normal"]);
  const removeByName = (toRemove) => {
    let isRemoved = false;
    const filterCb = (entry) => {
      const aliases = getAllAliases(entry.name, entry.aliases);
      if (aliases.includes(toRemove)) {
        isRemoved = true;
        for (const alias of aliases) {
          entriesNameSet.delete(alias);
        }
        return false;
      }
      return true;
    };
    absoluteEntries = absoluteEntries.filter(filterCb);
    relativeEntries = relativeEntries.filter(filterCb);
    return isRemoved;
  };
  const removeByReference = (toRemove) => {
    let isRemoved = false;
    const filterCb = (entry) => {
      if (entry.middleware === toRemove) {
        isRemoved = true;
        for (const alias of getAllAliases(entry.name, entry.aliases)) {
          entriesNameSet.delete(alias);
        }
        return false;
      }
      return true;
    };
    absoluteEntries = absoluteEntries.filter(filterCb);
    relativeEntries = relativeEntries.filter(filterCb);
    return isRemoved;
  };
  const cloneTo = (toStack) => {
    absoluteEntries.forEach((entry) => {
      toStack.add(entry.middleware, { ...entry });
    });
    relativeEntries.forEach((entry) => {
      toStack.addRelativeTo(entry.middleware, { ...entry });
    });
    toStack.identifyOnResolve?.(stack.identifyOnResolve());
    return toStack;
  };
  const expandRelativeMiddlewareList = (from) => {
    const expandedMiddlewareList = [];
    from.before.forEach((entry) => {
      if (entry.before.length === 0 && entry.after.length === 0) {
        expandedMiddlewareList.push(entry);
      } else {
        expandedMiddlewareList.push(...expandRelativeMiddlewareList(entry));
      }
    });
    expandedMiddlewareList.push(from);
    from.after.reverse().forEach((entry) => {
      if (entry.before.length === 0 && entry.after.length === 0) {
        expandedMiddlewareList.push(entry);
      } else {
        expandedMiddlewareList.push(...expandRelativeMiddlewareList(entry));
      }
    });
    return expandedMiddlewareList;
  };
  const getMiddlewareList = (debug = false) => {
    const normalizedAbsoluteEntries = [];
    const normalizedRelativeEntries = [];
    const normalizedEntriesNameMap = {};
    absoluteEntries.forEach((entry) => {
      const normalizedEntry = {
        ...entry,
        before: [],
        after: []
      };
      for (const alias of getAllAliases(normalizedEntry.name, normalizedEntry.aliases)) {
        normalizedEntriesNameMap[alias] = normalizedEntry;
      }
      normalizedAbsoluteEntries.push(normalizedEntry);
    });
    relativeEntries.forEach((entry) => {
      const normalizedEntry = {
        ...entry,
        before: [],
        after: []
      };
      for (const alias of getAllAliases(normalizedEntry.name, normalizedEntry.aliases)) {
        normalizedEntriesNameMap[alias] = normalizedEntry;
      }
      normalizedRelativeEntries.push(normalizedEntry);
    });
    normalizedRelativeEntries.forEach((entry) => {
      if (entry.toMiddleware) {
        const toMiddleware = normalizedEntriesNameMap[entry.toMiddleware];
        if (toMiddleware === void 0) {
          if (debug) {
            return;
          }
          throw new Error(`${entry.toMiddleware} is not found when adding ${getMiddlewareNameWithAliases(entry.name, entry.aliases)} middleware ${entry.relation} ${entry.toMiddleware}`);
        }
        if (entry.relation === "after") {
          toMiddleware.after.push(entry);
        }
        if (entry.relation === "before") {
          toMiddleware.before.push(entry);
        }
      }
    });
    const mainChain = sort(normalizedAbsoluteEntries).map(expandRelativeMiddlewareList).reduce((wholeList, expandedMiddlewareList) => {
      wholeList.push(...expandedMiddlewareList);
      return wholeList;
    }, []);
    return mainChain;
  };
  const stack = {
    add: (middleware, options = {}) => {
      const { name, override, aliases: _aliases } = options;
      const entry = {
        step: "initialize",
        priority: "normal",
        middleware,
        ...options
      };
      const aliases = getAllAliases(name, _aliases);
      if (aliases.length > 0) {
        if (aliases.some((alias) => entriesNameSet.has(alias))) {
          if (!override) {
            throw new Error(`Duplicate middleware name '${getMiddlewareNameWithAliases(name, _aliases)}'`);
          }
          for (const alias of aliases) {
            const toOverrideIndex = absoluteEntries.findIndex((entry2) => entry2.name === alias || entry2.aliases?.some((a3) => a3 === alias));
            if (toOverrideIndex === -1) {
              continue;
            }
            const toOverride = absoluteEntries[toOverrideIndex];
            if (toOverride.step !== entry.step || entry.priority !== toOverride.priority) {
              throw new Error(`"${getMiddlewareNameWithAliases(toOverride.name, toOverride.aliases)}" middleware with ${toOverride.priority} priority in ${toOverride.step} step cannot be overridden by "${getMiddlewareNameWithAliases(name, _aliases)}" middleware with ${entry.priority} priority in ${entry.step} step.`);
            }
            absoluteEntries.splice(toOverrideIndex, 1);
          }
        }
        for (const alias of aliases) {
          entriesNameSet.add(alias);
        }
      }
      absoluteEntries.push(entry);
    },
    addRelativeTo: (middleware, options) => {
      const { name, override, aliases: _aliases } = options;
      const entry = {
        middleware,
        ...options
      };
      const aliases = getAllAliases(name, _aliases);
      if (aliases.length > 0) {
        if (aliases.some((alias) => entriesNameSet.has(alias))) {
          if (!override) {
            throw new Error(`Duplicate middleware name '${getMiddlewareNameWithAliases(name, _aliases)}'`);
          }
          for (const alias of aliases) {
            const toOverrideIndex = relativeEntries.findIndex((entry2) => entry2.name === alias || entry2.aliases?.some((a3) => a3 === alias));
            if (toOverrideIndex === -1) {
              continue;
            }
            const toOverride = relativeEntries[toOverrideIndex];
            if (toOverride.toMiddleware !== entry.toMiddleware || toOverride.relation !== entry.relation) {
              throw new Error(`"${getMiddlewareNameWithAliases(toOverride.name, toOverride.aliases)}" middleware ${toOverride.relation} "${toOverride.toMiddleware}" middleware cannot be overridden by "${getMiddlewareNameWithAliases(name, _aliases)}" middleware ${entry.relation} "${entry.toMiddleware}" middleware.`);
            }
            relativeEntries.splice(toOverrideIndex, 1);
          }
        }
        for (const alias of aliases) {
          entriesNameSet.add(alias);
        }
      }
      relativeEntries.push(entry);
    },
    clone: () => cloneTo(constructStack()),
    use: (plugin) => {
      plugin.applyToStack(stack);
    },
    remove: (toRemove) => {
      if (typeof toRemove === "string") {
        return removeByName(toRemove);
      } else {
        return removeByReference(toRemove);
      }
    },
    removeByTag: (toRemove) => {
      let isRemoved = false;
      const filterCb = (entry) => {
        const { tags, name, aliases: _aliases } = entry;
        if (tags && tags.includes(toRemove)) {
          const aliases = getAllAliases(name, _aliases);
          for (const alias of aliases) {
            entriesNameSet.delete(alias);
          }
          isRemoved = true;
          return false;
        }
        return true;
      };
      absoluteEntries = absoluteEntries.filter(filterCb);
      relativeEntries = relativeEntries.filter(filterCb);
      return isRemoved;
    },
    concat: (from) => {
      const cloned = cloneTo(constructStack());
      cloned.use(from);
      cloned.identifyOnResolve(identifyOnResolve || cloned.identifyOnResolve() || (from.identifyOnResolve?.() ?? false));
      return cloned;
    },
    applyToStack: cloneTo,
    identify: () => {
      return getMiddlewareList(true).map((mw) => {
        const step = mw.step ?? mw.relation + " " + mw.toMiddleware;
        return getMiddlewareNameWithAliases(mw.name, mw.aliases) + " - " + step;
      });
    },
    identifyOnResolve(toggle) {
      if (typeof toggle === "boolean") {
        identifyOnResolve = toggle;
      }
      return identifyOnResolve;
    },
    resolve: (handler, context) => {
      for (const middleware of getMiddlewareList().map((entry) => entry.middleware).reverse()) {
        handler = middleware(handler, context);
      }
      if (identifyOnResolve) {
        console.log(stack.identify());
      }
      return handler;
    }
  };
  return stack;
};
var stepWeights = {
  initialize: 5,
  serialize: 4,
  build: 3,
  finalizeRequest: 2,
  deserialize: 1
};
var priorityWeights = {
  high: 3,
  normal: 2,
  low: 1
};

// node_modules/@smithy/types/dist-es/endpoint.js
var EndpointURLScheme;
(function(EndpointURLScheme2) {
  EndpointURLScheme2["HTTP"] = "http";
  EndpointURLScheme2["HTTPS"] = "https";
})(EndpointURLScheme || (EndpointURLScheme = {}));

// node_modules/@smithy/types/dist-es/extensions/checksum.js
var AlgorithmId;
(function(AlgorithmId2) {
  AlgorithmId2["MD5"] = "md5";
  AlgorithmId2["CRC32"] = "crc32";
  AlgorithmId2["CRC32C"] = "crc32c";
  AlgorithmId2["SHA1"] = "sha1";
  AlgorithmId2["SHA256"] = "sha256";
})(AlgorithmId || (AlgorithmId = {}));

// node_modules/@smithy/types/dist-es/middleware.js
var SMITHY_CONTEXT_KEY = "__smithy_context";

// node_modules/@smithy/types/dist-es/profile.js
var IniSectionType;
(function(IniSectionType2) {
  IniSectionType2["PROFILE"] = "profile";
  IniSectionType2["SSO_SESSION"] = "sso-session";
  IniSectionType2["SERVICES"] = "services";
})(IniSectionType || (IniSectionType = {}));

// node_modules/@smithy/core/dist-es/submodules/transport/getSmithyContext.js
var getSmithyContext = (context) => context[SMITHY_CONTEXT_KEY] || (context[SMITHY_CONTEXT_KEY] = {});

// node_modules/@smithy/core/dist-es/submodules/transport/hasOwn.js
function hasOwn(o2, k3) {
  return Object.prototype.hasOwnProperty.call(o2, k3);
}

// node_modules/@smithy/core/dist-es/submodules/transport/httpRequest.js
var HttpRequest = class _HttpRequest {
  method;
  protocol;
  hostname;
  port;
  path;
  query;
  headers;
  username;
  password;
  fragment;
  body;
  constructor(options) {
    this.method = options.method || "GET";
    this.hostname = options.hostname || "localhost";
    this.port = options.port;
    this.query = options.query || {};
    this.headers = options.headers || {};
    this.body = options.body;
    this.protocol = options.protocol ? options.protocol.slice(-1) !== ":" ? `${options.protocol}:` : options.protocol : "https:";
    this.path = options.path ? options.path.charAt(0) !== "/" ? `/${options.path}` : options.path : "/";
    this.username = options.username;
    this.password = options.password;
    this.fragment = options.fragment;
  }
  static clone(request) {
    const cloned = new _HttpRequest({
      ...request,
      headers: { ...request.headers }
    });
    if (cloned.query) {
      cloned.query = cloneQuery(cloned.query);
    }
    return cloned;
  }
  static isInstance(request) {
    if (!request) {
      return false;
    }
    const req = request;
    return "method" in req && "protocol" in req && "hostname" in req && "path" in req && typeof req["query"] === "object" && typeof req["headers"] === "object";
  }
  clone() {
    return _HttpRequest.clone(this);
  }
};
function cloneQuery(query) {
  return Object.keys(query).reduce((carry, paramName) => {
    const param = query[paramName];
    return {
      ...carry,
      [paramName]: Array.isArray(param) ? [...param] : param
    };
  }, {});
}

// node_modules/@smithy/core/dist-es/submodules/transport/httpResponse.js
var HttpResponse = class {
  statusCode;
  reason;
  headers;
  body;
  constructor(options) {
    this.statusCode = options.statusCode;
    this.reason = options.reason;
    this.headers = options.headers || {};
    this.body = options.body;
  }
  static isInstance(response) {
    if (!response) {
      return false;
    }
    const resp = response;
    return typeof resp.statusCode === "number" && typeof resp.headers === "object";
  }
};

// node_modules/@smithy/core/dist-es/submodules/transport/isValidHostLabel.js
var VALID_HOST_LABEL_REGEX = new RegExp(`^(?!.*-$)(?!-)[a-zA-Z0-9-]{1,63}$`);
var isValidHostLabel = (value, allowSubDomains = false) => {
  if (!allowSubDomains) {
    return VALID_HOST_LABEL_REGEX.test(value);
  }
  const labels = value.split(".");
  for (const label of labels) {
    if (!isValidHostLabel(label)) {
      return false;
    }
  }
  return true;
};

// node_modules/@smithy/core/dist-es/submodules/transport/isValidHostname.js
function isValidHostname(hostname) {
  const hostPattern = /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/;
  return hostPattern.test(hostname);
}

// node_modules/@smithy/core/dist-es/submodules/transport/normalizeProvider.js
var normalizeProvider = (input) => {
  if (typeof input === "function") {
    return input;
  }
  const promisified = Promise.resolve(input);
  return () => promisified;
};

// node_modules/@smithy/core/dist-es/submodules/transport/parseQueryString.js
function parseQueryString(querystring) {
  const query = {};
  querystring = querystring.replace(/^\?/, "");
  if (querystring) {
    for (const pair of querystring.split("&")) {
      let [key, value = null] = pair.split("=");
      key = decodeURIComponent(key);
      if (value) {
        value = decodeURIComponent(value);
      }
      if (!(key in query)) {
        query[key] = value;
      } else if (Array.isArray(query[key])) {
        query[key].push(value);
      } else {
        query[key] = [query[key], value];
      }
    }
  }
  return query;
}

// node_modules/@smithy/core/dist-es/submodules/transport/parseUrl.js
var parseUrl = (url) => {
  if (typeof url === "string") {
    return parseUrl(new URL(url));
  }
  const { hostname, pathname, port, protocol, search } = url;
  let query;
  if (search) {
    query = parseQueryString(search);
  }
  return {
    hostname,
    port: port ? parseInt(port) : void 0,
    protocol,
    path: pathname,
    query
  };
};

// node_modules/@smithy/core/dist-es/submodules/transport/toEndpointV1.js
var toEndpointV1 = (endpoint) => {
  if (typeof endpoint === "object") {
    if ("url" in endpoint) {
      const v1Endpoint = parseUrl(endpoint.url);
      if (endpoint.headers) {
        v1Endpoint.headers = {};
        for (const name in endpoint.headers) {
          if (!hasOwn(endpoint.headers, name)) {
            continue;
          }
          v1Endpoint.headers[name.toLowerCase()] = endpoint.headers[name].join(", ");
        }
      }
      return v1Endpoint;
    }
    return endpoint;
  }
  return parseUrl(endpoint);
};

// node_modules/@smithy/core/dist-es/submodules/client/util-waiter/circularReplacer.js
var getCircularReplacer = () => {
  const seen = /* @__PURE__ */ new WeakSet();
  return (key, value) => {
    if (typeof value === "object" && value !== null) {
      if (seen.has(value)) {
        return "[Circular]";
      }
      seen.add(value);
    }
    return value;
  };
};

// node_modules/@smithy/core/dist-es/submodules/client/util-waiter/utils/sleep.js
var sleep = (seconds) => {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1e3));
};

// node_modules/@smithy/core/dist-es/submodules/client/util-waiter/waiter.js
var waiterServiceDefaults = {
  minDelay: 2,
  maxDelay: 120
};
var WaiterState;
(function(WaiterState2) {
  WaiterState2["ABORTED"] = "ABORTED";
  WaiterState2["FAILURE"] = "FAILURE";
  WaiterState2["SUCCESS"] = "SUCCESS";
  WaiterState2["RETRY"] = "RETRY";
  WaiterState2["TIMEOUT"] = "TIMEOUT";
})(WaiterState || (WaiterState = {}));
var checkExceptions = (result) => {
  if (result.state === WaiterState.ABORTED) {
    const abortError = new Error(`${JSON.stringify({
      ...result,
      reason: "Request was aborted"
    }, getCircularReplacer())}`);
    abortError.name = "AbortError";
    throw abortError;
  } else if (result.state === WaiterState.TIMEOUT) {
    const timeoutError = new Error(`${JSON.stringify({
      ...result,
      reason: "Waiter has timed out"
    }, getCircularReplacer())}`);
    timeoutError.name = "TimeoutError";
    throw timeoutError;
  } else if (result.state !== WaiterState.SUCCESS) {
    throw new Error(`${JSON.stringify(result, getCircularReplacer())}`);
  }
  return result;
};

// node_modules/@smithy/core/dist-es/submodules/client/util-waiter/poller.js
var runPolling = async ({ minDelay, maxDelay, maxWaitTime, abortController, client, abortSignal }, input, acceptorChecks) => {
  const observedResponses = {};
  const [minDelayMs, maxDelayMs] = [minDelay * 1e3, maxDelay * 1e3];
  let currentAttempt = 0;
  const waitUntil = Date.now() + maxWaitTime * 1e3;
  const warn403Time = Date.now() + 6e4;
  let didWarn403 = false;
  while (true) {
    if (currentAttempt > 0) {
      const delayMs = exponentialBackoffWithJitter(minDelayMs, maxDelayMs, currentAttempt, waitUntil);
      if (abortController?.signal?.aborted || abortSignal?.aborted) {
        const message = "AbortController signal aborted.";
        observedResponses[message] |= 0;
        observedResponses[message] += 1;
        return { state: WaiterState.ABORTED, observedResponses };
      }
      if (Date.now() + delayMs > waitUntil) {
        return { state: WaiterState.TIMEOUT, observedResponses };
      }
      await sleep(delayMs / 1e3);
    }
    const { state: state2, reason } = await acceptorChecks(client, input);
    if (reason) {
      const message = createMessageFromResponse(reason);
      observedResponses[message] |= 0;
      observedResponses[message] += 1;
    }
    if (state2 !== WaiterState.RETRY) {
      return { state: state2, reason, final: reason, observedResponses };
    }
    currentAttempt += 1;
    if (!didWarn403 && Date.now() >= warn403Time) {
      checkWarn403(observedResponses, client);
      didWarn403 = true;
    }
  }
};
var checkWarn403 = (observedResponses = {}, client) => {
  const orderedErrors = Object.keys(observedResponses);
  let maxCount = 0;
  let count403 = 0;
  for (const response of orderedErrors) {
    const n2 = observedResponses[response] | 0;
    maxCount = Math.max(n2, maxCount);
    if (response.startsWith("403:")) {
      count403 += n2;
    }
  }
  const clientLogger = client?.config?.logger;
  const warningLogger = typeof clientLogger?.warn === "function" && !clientLogger.constructor?.name?.includes?.("NoOpLogger") ? clientLogger : console;
  if (count403 >= 3 || orderedErrors[orderedErrors.length - 1]?.startsWith("403:")) {
    warningLogger.warn(`@smithy/util-waiter WARN - 403 status code encountered during waiter polling.`);
  }
};
var createMessageFromResponse = (reason) => {
  const status = reason?.$response?.statusCode ?? reason?.$metadata?.httpStatusCode;
  if (reason?.$responseBodyText) {
    return `${status ? status + ": " : ""}Deserialization error for body: ${reason.$responseBodyText}`;
  }
  if (status) {
    if (reason?.$response || reason?.message) {
      return `${status ?? "Unknown"}: ${reason?.message}`;
    }
    return `${status}: OK`;
  }
  return String(reason?.message ?? JSON.stringify(reason, getCircularReplacer()) ?? "Unknown");
};
var exponentialBackoffWithJitter = (minDelayMs, maxDelayMs, attempt, waitUntil) => {
  const attemptCountCeiling = Math.log(maxDelayMs / minDelayMs) / Math.log(2) + 1;
  if (attempt > attemptCountCeiling) {
    return maxDelayMs;
  }
  const delay = minDelayMs * 2 ** (attempt - 1);
  const capped = Math.min(delay, maxDelayMs);
  const waitFor = randomInRange(minDelayMs, capped);
  if (Date.now() + waitFor > waitUntil) {
    const timeRemaining = waitUntil - Date.now();
    return Math.max(0, timeRemaining - 500);
  }
  return waitFor;
};
var randomInRange = (min, max) => min + Math.random() * (max - min);

// node_modules/@smithy/core/dist-es/submodules/client/util-waiter/utils/validate.js
var validateWaiterOptions = (options) => {
  if (options.maxWaitTime <= 0) {
    throw new Error(`WaiterConfiguration.maxWaitTime must be greater than 0`);
  } else if (options.minDelay <= 0) {
    throw new Error(`WaiterConfiguration.minDelay must be greater than 0`);
  } else if (options.maxDelay <= 0) {
    throw new Error(`WaiterConfiguration.maxDelay must be greater than 0`);
  } else if (options.maxWaitTime <= options.minDelay) {
    throw new Error(`WaiterConfiguration.maxWaitTime [${options.maxWaitTime}] must be greater than WaiterConfiguration.minDelay [${options.minDelay}] for this waiter`);
  } else if (options.maxDelay < options.minDelay) {
    throw new Error(`WaiterConfiguration.maxDelay [${options.maxDelay}] must be greater than WaiterConfiguration.minDelay [${options.minDelay}] for this waiter`);
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/util-waiter/createWaiter.js
var abortTimeout = (abortSignal) => {
  let onAbort;
  const promise = new Promise((resolve) => {
    onAbort = () => resolve({ state: WaiterState.ABORTED });
    if (typeof abortSignal.addEventListener === "function") {
      abortSignal.addEventListener("abort", onAbort);
    } else {
      abortSignal.onabort = onAbort;
    }
  });
  return {
    clearListener() {
      if (typeof abortSignal.removeEventListener === "function") {
        abortSignal.removeEventListener("abort", onAbort);
      }
    },
    aborted: promise
  };
};
var createWaiter = async (options, input, acceptorChecks) => {
  const params = {
    ...waiterServiceDefaults,
    ...options
  };
  validateWaiterOptions(params);
  const exitConditions = [runPolling(params, input, acceptorChecks)];
  const finalize = [];
  if (options.abortSignal) {
    const { aborted, clearListener } = abortTimeout(options.abortSignal);
    finalize.push(clearListener);
    exitConditions.push(aborted);
  }
  if (options.abortController?.signal) {
    const { aborted, clearListener } = abortTimeout(options.abortController.signal);
    finalize.push(clearListener);
    exitConditions.push(aborted);
  }
  return Promise.race(exitConditions).then((result) => {
    for (const fn of finalize) {
      fn();
    }
    return result;
  });
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/client.js
var Client = class {
  config;
  middlewareStack = constructStack();
  initConfig;
  handlers;
  constructor(config) {
    this.config = config;
    const { protocol, protocolSettings } = config;
    if (protocolSettings) {
      if (typeof protocol === "function") {
        config.protocol = new protocol(protocolSettings);
      }
    }
  }
  send(command3, optionsOrCb, cb) {
    const options = typeof optionsOrCb !== "function" ? optionsOrCb : void 0;
    const callback = typeof optionsOrCb === "function" ? optionsOrCb : cb;
    const useHandlerCache = options === void 0 && this.config.cacheMiddleware === true;
    let handler;
    if (useHandlerCache) {
      if (!this.handlers) {
        this.handlers = /* @__PURE__ */ new WeakMap();
      }
      const handlers = this.handlers;
      if (handlers.has(command3.constructor)) {
        handler = handlers.get(command3.constructor);
      } else {
        handler = command3.resolveMiddleware(this.middlewareStack, this.config, options);
        handlers.set(command3.constructor, handler);
      }
    } else {
      delete this.handlers;
      handler = command3.resolveMiddleware(this.middlewareStack, this.config, options);
    }
    if (callback) {
      handler(command3).then((result) => callback(null, result.output), (err2) => callback(err2)).catch(() => {
      });
    } else {
      return handler(command3).then((result) => result.output);
    }
  }
  destroy() {
    this.config?.requestHandler?.destroy?.();
    delete this.handlers;
  }
};

// node_modules/@smithy/core/dist-es/submodules/schema/deref.js
var deref = (schemaRef) => {
  if (typeof schemaRef === "function") {
    return schemaRef();
  }
  return schemaRef;
};

// node_modules/@smithy/core/dist-es/submodules/schema/schemas/operation.js
var operation = (namespace, name, traits, input, output) => ({
  name,
  namespace,
  traits,
  input,
  output
});

// node_modules/@smithy/core/dist-es/submodules/schema/middleware/schemaDeserializationMiddleware.js
var schemaDeserializationMiddleware = (config) => (next, context) => async (args) => {
  const { response } = await next(args);
  const { operationSchema } = getSmithyContext(context);
  const [, ns, n2, t2, i3, o2] = operationSchema ?? [];
  try {
    const parsed = await config.protocol.deserializeResponse(operation(ns, n2, t2, i3, o2), {
      ...config,
      ...context
    }, response);
    return {
      response,
      output: parsed
    };
  } catch (error) {
    Object.defineProperty(error, "$response", {
      value: response,
      enumerable: false,
      writable: false,
      configurable: false
    });
    if (!("$metadata" in error)) {
      const hint = `Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.`;
      try {
        error.message += "\n  " + hint;
      } catch (ignored) {
        if (!context.logger || context.logger?.constructor?.name === "NoOpLogger") {
          console.warn(hint);
        } else {
          context.logger?.warn?.(hint);
        }
      }
      if (typeof error.$responseBodyText !== "undefined") {
        if (error.$response) {
          error.$response.body = error.$responseBodyText;
        }
      }
      try {
        if (HttpResponse.isInstance(response)) {
          const { headers = {}, statusCode } = response;
          const headerEntries = Object.entries(headers);
          error.$metadata = {
            httpStatusCode: statusCode,
            requestId: findHeader(/^x-[\w-]+-request-?id$/, headerEntries),
            extendedRequestId: findHeader(/^x-[\w-]+-id-2$/, headerEntries),
            cfId: findHeader(/^x-[\w-]+-cf-id$/, headerEntries)
          };
        }
      } catch (ignored) {
      }
    }
    throw error;
  }
};
var findHeader = (pattern, headers) => {
  return (headers.find(([k3]) => {
    return k3.match(pattern);
  }) || [void 0, void 0])[1];
};

// node_modules/@smithy/core/dist-es/submodules/schema/middleware/schemaSerializationMiddleware.js
var schemaSerializationMiddleware = (config) => (next, context) => async (args) => {
  const { operationSchema } = getSmithyContext(context);
  const [, ns, n2, t2, i3, o2] = operationSchema ?? [];
  const endpoint = context.endpointV2 ? async () => toEndpointV1(context.endpointV2) : config.endpoint;
  const request = await config.protocol.serializeRequest(operation(ns, n2, t2, i3, o2), args.input, {
    ...config,
    ...context,
    endpoint
  });
  return next({
    ...args,
    request
  });
};

// node_modules/@smithy/core/dist-es/submodules/schema/middleware/getSchemaSerdePlugin.js
var deserializerMiddlewareOption = {
  name: "deserializerMiddleware",
  step: "deserialize",
  tags: ["DESERIALIZER"],
  override: true
};
var serializerMiddlewareOption = {
  name: "serializerMiddleware",
  step: "serialize",
  tags: ["SERIALIZER"],
  override: true
};
function getSchemaSerdePlugin(config) {
  return {
    applyToStack: (commandStack) => {
      commandStack.add(schemaSerializationMiddleware(config), serializerMiddlewareOption);
      commandStack.add(schemaDeserializationMiddleware(config), deserializerMiddlewareOption);
      config.protocol.setSerdeContext(config);
    }
  };
}

// node_modules/@smithy/core/dist-es/submodules/schema/schemas/translateTraits.js
var traitsCache = [];
function translateTraits(indicator) {
  if (typeof indicator === "object") {
    return indicator;
  }
  indicator = indicator | 0;
  if (traitsCache[indicator]) {
    return traitsCache[indicator];
  }
  const traits = {};
  let i3 = 0;
  for (const trait of [
    "httpLabel",
    "idempotent",
    "idempotencyToken",
    "sensitive",
    "httpPayload",
    "httpResponseCode",
    "httpQueryParams"
  ]) {
    if ((indicator >> i3++ & 1) === 1) {
      traits[trait] = 1;
    }
  }
  return traitsCache[indicator] = traits;
}

// node_modules/@smithy/core/dist-es/submodules/schema/schemas/NormalizedSchema.js
var anno = {
  it: /* @__PURE__ */ Symbol.for("@smithy/nor-struct-it"),
  ns: /* @__PURE__ */ Symbol.for("@smithy/ns")
};
var simpleSchemaCacheN = [];
var simpleSchemaCacheS = {};
var NormalizedSchema = class _NormalizedSchema {
  ref;
  memberName;
  static symbol = /* @__PURE__ */ Symbol.for("@smithy/nor");
  symbol = _NormalizedSchema.symbol;
  name;
  schema;
  _isMemberSchema;
  traits;
  memberTraits;
  normalizedTraits;
  constructor(ref, memberName) {
    this.ref = ref;
    this.memberName = memberName;
    const traitStack = [];
    let _ref = ref;
    let schema = ref;
    this._isMemberSchema = false;
    while (isMemberSchema(_ref)) {
      traitStack.push(_ref[1]);
      _ref = _ref[0];
      schema = deref(_ref);
      this._isMemberSchema = true;
    }
    if (traitStack.length > 0) {
      this.memberTraits = {};
      for (let i3 = traitStack.length - 1; i3 >= 0; --i3) {
        const traitSet = traitStack[i3];
        Object.assign(this.memberTraits, translateTraits(traitSet));
      }
    } else {
      this.memberTraits = 0;
    }
    if (schema instanceof _NormalizedSchema) {
      const computedMemberTraits = this.memberTraits;
      Object.assign(this, schema);
      this.memberTraits = Object.assign({}, computedMemberTraits, schema.getMemberTraits(), this.getMemberTraits());
      this.normalizedTraits = void 0;
      this.memberName = memberName ?? schema.memberName;
      return;
    }
    this.schema = deref(schema);
    if (isStaticSchema(this.schema)) {
      this.name = `${this.schema[1]}#${this.schema[2]}`;
      this.traits = this.schema[3];
    } else {
      this.name = this.memberName ?? String(schema);
      this.traits = 0;
    }
    if (this._isMemberSchema && !memberName) {
      throw new Error(`@smithy/core/schema - NormalizedSchema member init ${this.getName(true)} missing member name.`);
    }
  }
  static [Symbol.hasInstance](lhs) {
    const isPrototype = this.prototype.isPrototypeOf(lhs);
    if (!isPrototype && typeof lhs === "object" && lhs !== null) {
      const ns = lhs;
      return ns.symbol === this.symbol;
    }
    return isPrototype;
  }
  static of(ref) {
    const keyAble = typeof ref === "function" || typeof ref === "object" && ref !== null;
    if (typeof ref === "number") {
      if (simpleSchemaCacheN[ref]) {
        return simpleSchemaCacheN[ref];
      }
    } else if (typeof ref === "string") {
      if (simpleSchemaCacheS[ref]) {
        return simpleSchemaCacheS[ref];
      }
    } else if (keyAble) {
      if (ref[anno.ns]) {
        return ref[anno.ns];
      }
    }
    const sc = deref(ref);
    if (sc instanceof _NormalizedSchema) {
      return sc;
    }
    if (isMemberSchema(sc)) {
      const [ns2, traits] = sc;
      if (ns2 instanceof _NormalizedSchema) {
        Object.assign(ns2.getMergedTraits(), translateTraits(traits));
        return ns2;
      }
      throw new Error(`@smithy/core/schema - may not init unwrapped member schema=${JSON.stringify(ref, null, 2)}.`);
    }
    const ns = new _NormalizedSchema(sc);
    if (keyAble) {
      return ref[anno.ns] = ns;
    }
    if (typeof sc === "string") {
      return simpleSchemaCacheS[sc] = ns;
    }
    if (typeof sc === "number") {
      return simpleSchemaCacheN[sc] = ns;
    }
    return ns;
  }
  getSchema() {
    const sc = this.schema;
    if (Array.isArray(sc) && sc[0] === 0) {
      return sc[4];
    }
    return sc;
  }
  getName(withNamespace = false) {
    const { name } = this;
    const short = !withNamespace && name && name.includes("#");
    return short ? name.split("#")[1] : name || void 0;
  }
  getMemberName() {
    return this.memberName;
  }
  isMemberSchema() {
    return this._isMemberSchema;
  }
  isListSchema() {
    const sc = this.getSchema();
    return typeof sc === "number" ? sc >= 64 && sc < 128 : sc[0] === 1;
  }
  isMapSchema() {
    const sc = this.getSchema();
    return typeof sc === "number" ? sc >= 128 && sc <= 255 : sc[0] === 2;
  }
  isStructSchema() {
    const sc = this.getSchema();
    if (typeof sc !== "object") {
      return false;
    }
    const id = sc[0];
    return id === 3 || id === -3 || id === 4;
  }
  isUnionSchema() {
    const sc = this.getSchema();
    if (typeof sc !== "object") {
      return false;
    }
    return sc[0] === 4;
  }
  isBlobSchema() {
    const sc = this.getSchema();
    return sc === 21 || sc === 42;
  }
  isTimestampSchema() {
    const sc = this.getSchema();
    return typeof sc === "number" && sc >= 4 && sc <= 7;
  }
  isUnitSchema() {
    return this.getSchema() === "unit";
  }
  isDocumentSchema() {
    return this.getSchema() === 15;
  }
  isStringSchema() {
    return this.getSchema() === 0;
  }
  isBooleanSchema() {
    return this.getSchema() === 2;
  }
  isNumericSchema() {
    return this.getSchema() === 1;
  }
  isBigIntegerSchema() {
    return this.getSchema() === 17;
  }
  isBigDecimalSchema() {
    return this.getSchema() === 19;
  }
  isStreaming() {
    const { streaming } = this.getMergedTraits();
    return !!streaming || this.getSchema() === 42;
  }
  isIdempotencyToken() {
    return !!this.getMergedTraits().idempotencyToken;
  }
  getMergedTraits() {
    return this.normalizedTraits ?? (this.normalizedTraits = {
      ...this.getOwnTraits(),
      ...this.getMemberTraits()
    });
  }
  getMemberTraits() {
    return translateTraits(this.memberTraits);
  }
  getOwnTraits() {
    return translateTraits(this.traits);
  }
  getKeySchema() {
    const [isDoc, isMap] = [this.isDocumentSchema(), this.isMapSchema()];
    if (!isDoc && !isMap) {
      throw new Error(`@smithy/core/schema - cannot get key for non-map: ${this.getName(true)}`);
    }
    const schema = this.getSchema();
    const memberSchema = isDoc ? 15 : schema[4] ?? 0;
    return member([memberSchema, 0], "key");
  }
  getValueSchema() {
    const sc = this.getSchema();
    const [isDoc, isMap, isList] = [this.isDocumentSchema(), this.isMapSchema(), this.isListSchema()];
    const memberSchema = typeof sc === "number" ? 63 & sc : sc && typeof sc === "object" && (isMap || isList) ? sc[3 + sc[0]] : isDoc ? 15 : void 0;
    if (memberSchema != null) {
      return member([memberSchema, 0], isMap ? "value" : "member");
    }
    throw new Error(`@smithy/core/schema - ${this.getName(true)} has no value member.`);
  }
  getMemberSchema(memberName) {
    const struct = this.getSchema();
    if (this.isStructSchema() && struct[4].includes(memberName)) {
      const i3 = struct[4].indexOf(memberName);
      const memberSchema = struct[5][i3];
      return member(isMemberSchema(memberSchema) ? memberSchema : [memberSchema, 0], memberName);
    }
    if (this.isDocumentSchema()) {
      return member([15, 0], memberName);
    }
    throw new Error(`@smithy/core/schema - ${this.getName(true)} has no member=${memberName}.`);
  }
  getMemberSchemas() {
    const buffer = {};
    try {
      for (const [k3, v2] of this.structIterator()) {
        buffer[k3] = v2;
      }
    } catch (ignored) {
    }
    return buffer;
  }
  getEventStreamMember() {
    if (this.isStructSchema()) {
      for (const [memberName, memberSchema] of this.structIterator()) {
        if (memberSchema.isStreaming() && memberSchema.isStructSchema()) {
          return memberName;
        }
      }
    }
    return "";
  }
  *structIterator() {
    if (this.isUnitSchema()) {
      return;
    }
    if (!this.isStructSchema()) {
      throw new Error("@smithy/core/schema - cannot iterate non-struct schema.");
    }
    const struct = this.getSchema();
    const z2 = struct[4].length;
    let it = struct[anno.it];
    if (it && z2 === it.length) {
      yield* it;
      return;
    }
    it = Array(z2);
    for (let i3 = 0; i3 < z2; ++i3) {
      const k3 = struct[4][i3];
      const v2 = member([struct[5][i3], 0], k3);
      yield it[i3] = [k3, v2];
    }
    struct[anno.it] = it;
  }
};
function member(memberSchema, memberName) {
  if (memberSchema instanceof NormalizedSchema) {
    return Object.assign(memberSchema, {
      memberName,
      _isMemberSchema: true
    });
  }
  const internalCtorAccess = NormalizedSchema;
  return new internalCtorAccess(memberSchema, memberName);
}
var isMemberSchema = (sc) => Array.isArray(sc) && sc.length === 2;
var isStaticSchema = (sc) => Array.isArray(sc) && sc.length >= 5;

// node_modules/@smithy/core/dist-es/submodules/schema/TypeRegistry.js
var TypeRegistry = class _TypeRegistry {
  namespace;
  schemas;
  exceptions;
  static registries = /* @__PURE__ */ new Map();
  constructor(namespace, schemas = /* @__PURE__ */ new Map(), exceptions = /* @__PURE__ */ new Map()) {
    this.namespace = namespace;
    this.schemas = schemas;
    this.exceptions = exceptions;
    if (!_TypeRegistry.registries.has(namespace)) {
      _TypeRegistry.registries.set(namespace, this);
    }
  }
  static for(namespace) {
    return _TypeRegistry.registries.get(namespace) ?? new _TypeRegistry(namespace);
  }
  copyFrom(other) {
    const { schemas, exceptions } = this;
    for (const [k3, v2] of other.schemas) {
      if (!schemas.has(k3)) {
        schemas.set(k3, v2);
      }
    }
    for (const [k3, v2] of other.exceptions) {
      if (!exceptions.has(k3)) {
        exceptions.set(k3, v2);
      }
    }
  }
  register(shapeId, schema) {
    const qualifiedName = this.normalizeShapeId(shapeId);
    for (const r3 of [this, _TypeRegistry.for(qualifiedName.split("#")[0])]) {
      if (!r3.schemas.has(qualifiedName)) {
        r3.schemas.set(qualifiedName, schema);
      }
    }
  }
  getSchema(shapeId) {
    const id = this.normalizeShapeId(shapeId);
    if (!this.schemas.has(id)) {
      if (!shapeId.includes("#")) {
        const suffix = "#" + shapeId;
        const candidates = [];
        for (const [shapeId2, schema] of this.schemas.entries()) {
          if (shapeId2.endsWith(suffix)) {
            candidates.push(schema);
          }
        }
        if (candidates.length === 1) {
          return candidates[0];
        }
      }
      throw new Error(`@smithy/core/schema - schema not found for ${id}`);
    }
    return this.schemas.get(id);
  }
  registerError(es, ctor) {
    const $error = es;
    const ns = $error[1];
    const qualifiedName = ns + "#" + $error[2];
    if (!ctor.hasOwnProperty?.("shapeId")) {
      ctor.shapeId = qualifiedName;
    }
    for (const r3 of [this, _TypeRegistry.for(ns)]) {
      if (!r3.schemas.has(qualifiedName) && !r3.exceptions.has($error)) {
        r3.schemas.set(qualifiedName, $error);
        r3.exceptions.set($error, ctor);
      }
    }
  }
  getErrorCtor(es) {
    const $error = es;
    if (this.exceptions.has($error)) {
      return this.exceptions.get($error);
    }
    const registry = _TypeRegistry.for($error[1]);
    return registry.exceptions.get($error);
  }
  getBaseException() {
    for (const exceptionKey of this.exceptions.keys()) {
      if (Array.isArray(exceptionKey)) {
        const [, ns, name] = exceptionKey;
        const id = ns + "#" + name;
        if (id.startsWith("smithy.ts.sdk.synthetic.") && id.endsWith("ServiceException")) {
          return exceptionKey;
        }
      }
    }
    return void 0;
  }
  find(predicate) {
    for (const schema of this.schemas.values()) {
      if (predicate(schema)) {
        return schema;
      }
    }
    return void 0;
  }
  clear() {
    this.schemas.clear();
    this.exceptions.clear();
  }
  normalizeShapeId(shapeId) {
    if (shapeId.includes("#")) {
      return shapeId;
    }
    return this.namespace + "#" + shapeId;
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/schemaLogFilter.js
var SENSITIVE_STRING = "***SensitiveInformation***";
function schemaLogFilter(schema, data) {
  if (data == null) {
    return data;
  }
  const ns = NormalizedSchema.of(schema);
  if (ns.getMergedTraits().sensitive) {
    return SENSITIVE_STRING;
  }
  if (ns.isListSchema()) {
    const valueSchema = ns.getValueSchema();
    if (valueSchema.getMergedTraits().sensitive) {
      return SENSITIVE_STRING;
    }
    if (Array.isArray(data)) {
      return data.map((value) => schemaLogFilter(valueSchema, value));
    }
  } else if (ns.isMapSchema()) {
    const valueSchema = ns.getValueSchema();
    if (ns.getKeySchema().getMergedTraits().sensitive || valueSchema.getMergedTraits().sensitive) {
      return SENSITIVE_STRING;
    }
    if (typeof data === "object") {
      return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, schemaLogFilter(valueSchema, value)]));
    }
  } else if (ns.isStructSchema() && typeof data === "object") {
    const object2 = data;
    const newObject = {};
    for (const [member2, memberNs] of ns.structIterator()) {
      if (object2[member2] != null) {
        newObject[member2] = schemaLogFilter(memberNs, object2[member2]);
      }
    }
    return newObject;
  }
  return data;
}

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/command.js
var operationEventStreamMarker = /* @__PURE__ */ Symbol.for("@smithy/op-event-stream");
var Command = class {
  middlewareStack = constructStack();
  schema;
  static classBuilder() {
    return new ClassBuilder();
  }
  resolveMiddlewareWithContext(clientStack, configuration, options, { middlewareFn, clientName, commandName, inputFilterSensitiveLog, outputFilterSensitiveLog, smithyContext, additionalContext, CommandCtor }) {
    for (const mw of middlewareFn.bind(this)(CommandCtor, clientStack, configuration, options)) {
      this.middlewareStack.use(mw);
    }
    const stack = clientStack.concat(this.middlewareStack);
    const { logger } = configuration;
    const additionalSmithyContext = additionalContext[SMITHY_CONTEXT_KEY];
    const handlerExecutionContext = {
      logger,
      clientName,
      commandName,
      inputFilterSensitiveLog,
      outputFilterSensitiveLog,
      ...additionalContext,
      [SMITHY_CONTEXT_KEY]: {
        ...additionalSmithyContext,
        commandInstance: this,
        ...smithyContext,
        ...options?.metricsRecorder === void 0 ? {} : { metricsRecorder: options.metricsRecorder },
        ...options?.abortSignal === void 0 ? {} : { abortSignal: options.abortSignal }
      }
    };
    const { requestHandler } = configuration;
    let requestOptions = options ?? {};
    if (requestOptions.metricsRecorder) {
      requestOptions = { ...requestOptions };
      delete requestOptions.metricsRecorder;
    }
    let isEventStream;
    const schema = this.schema;
    const marker = schema?.[operationEventStreamMarker];
    if (marker !== void 0) {
      isEventStream = marker;
    } else if (schema) {
      if (Array.isArray(schema) && schema[0] === 9) {
        const [, , , , input$, output$] = schema;
        isEventStream = schema[operationEventStreamMarker] = Boolean(NormalizedSchema.of(input$).getEventStreamMember() || NormalizedSchema.of(output$).getEventStreamMember());
      }
    }
    if (isEventStream) {
      requestOptions = {
        isEventStream,
        ...requestOptions
      };
    }
    return stack.resolve((request) => requestHandler.handle(request.request, requestOptions), handlerExecutionContext);
  }
};
var ClassBuilder = class {
  _init = () => {
  };
  _ep = {};
  _middlewareFn = () => [];
  _commandName = "";
  _clientName = "";
  _additionalContext = {};
  _smithyContext = {};
  _inputFilterSensitiveLog = void 0;
  _outputFilterSensitiveLog = void 0;
  _serializer = null;
  _deserializer = null;
  _operationSchema;
  init(cb) {
    this._init = cb;
  }
  ep(endpointParameterInstructions) {
    this._ep = endpointParameterInstructions;
    return this;
  }
  m(middlewareSupplier) {
    this._middlewareFn = middlewareSupplier;
    return this;
  }
  s(service, operation2, smithyContext = {}) {
    this._smithyContext = {
      service,
      operation: operation2,
      ...smithyContext
    };
    return this;
  }
  c(additionalContext = {}) {
    this._additionalContext = additionalContext;
    return this;
  }
  n(clientName, commandName) {
    this._clientName = clientName;
    this._commandName = commandName;
    return this;
  }
  f(inputFilter = (_) => _, outputFilter = (_) => _) {
    this._inputFilterSensitiveLog = inputFilter;
    this._outputFilterSensitiveLog = outputFilter;
    return this;
  }
  ser(serializer) {
    this._serializer = serializer;
    return this;
  }
  de(deserializer) {
    this._deserializer = deserializer;
    return this;
  }
  sc(operation2) {
    this._operationSchema = operation2;
    this._smithyContext.operationSchema = operation2;
    return this;
  }
  build() {
    const closure = this;
    let CommandRef;
    return CommandRef = class extends Command {
      input;
      static getEndpointParameterInstructions() {
        return closure._ep;
      }
      constructor(...[input]) {
        super();
        this.input = input ?? {};
        closure._init(this);
        this.schema = closure._operationSchema;
      }
      resolveMiddleware(stack, configuration, options) {
        const op = closure._operationSchema;
        const input = op?.[4] ?? op?.input;
        const output = op?.[5] ?? op?.output;
        return this.resolveMiddlewareWithContext(stack, configuration, options, {
          CommandCtor: CommandRef,
          middlewareFn: closure._middlewareFn,
          clientName: closure._clientName,
          commandName: closure._commandName,
          inputFilterSensitiveLog: closure._inputFilterSensitiveLog ?? (op ? schemaLogFilter.bind(null, input) : (_) => _),
          outputFilterSensitiveLog: closure._outputFilterSensitiveLog ?? (op ? schemaLogFilter.bind(null, output) : (_) => _),
          smithyContext: closure._smithyContext,
          additionalContext: closure._additionalContext
        });
      }
      serialize = closure._serializer;
      deserialize = closure._deserializer;
    };
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/create-aggregated-client.js
var createAggregatedClient = (commands3, Client2, options) => {
  for (const [command3, CommandCtor] of Object.entries(commands3)) {
    const methodImpl = async function(args, optionsOrCb, cb) {
      const command4 = new CommandCtor(args);
      if (typeof optionsOrCb === "function") {
        this.send(command4, optionsOrCb);
      } else if (typeof cb === "function") {
        if (typeof optionsOrCb !== "object") {
          throw new Error(`Expected http options but got ${typeof optionsOrCb}`);
        }
        this.send(command4, optionsOrCb || {}, cb);
      } else {
        return this.send(command4, optionsOrCb);
      }
    };
    const methodName = (command3[0].toLowerCase() + command3.slice(1)).replace(/Command$/, "");
    Client2.prototype[methodName] = methodImpl;
  }
  const { paginators: paginators3 = {}, waiters: waiters2 = {} } = options ?? {};
  for (const [paginatorName, paginatorFn] of Object.entries(paginators3)) {
    if (Client2.prototype[paginatorName] === void 0) {
      Client2.prototype[paginatorName] = function(commandInput = {}, paginationConfiguration, ...rest) {
        return paginatorFn({
          ...paginationConfiguration,
          client: this
        }, commandInput, ...rest);
      };
    }
  }
  for (const [waiterName, waiterFn] of Object.entries(waiters2)) {
    if (Client2.prototype[waiterName] === void 0) {
      Client2.prototype[waiterName] = async function(commandInput = {}, waiterConfiguration, ...rest) {
        let config = waiterConfiguration;
        if (typeof waiterConfiguration === "number") {
          config = {
            maxWaitTime: waiterConfiguration
          };
        }
        return waiterFn({
          ...config,
          client: this
        }, commandInput, ...rest);
      };
    }
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/exceptions.js
var ServiceException = class _ServiceException extends Error {
  static shapeId = "smithy.ts.sdk.synthetic.nonamespace.client#ServiceException";
  $fault;
  $response;
  $retryable;
  $metadata;
  constructor(options) {
    super(options.message);
    Object.setPrototypeOf(this, Object.getPrototypeOf(this).constructor.prototype);
    this.name = options.name;
    this.$fault = options.$fault;
    this.$metadata = options.$metadata;
  }
  static isInstance(value) {
    if (!value) {
      return false;
    }
    const candidate = value;
    return _ServiceException.prototype.isPrototypeOf(candidate) || Boolean(candidate.$fault) && Boolean(candidate.$metadata) && (candidate.$fault === "client" || candidate.$fault === "server");
  }
  static [Symbol.hasInstance](instance) {
    if (!instance) {
      return false;
    }
    const candidate = instance;
    if (this === _ServiceException) {
      return _ServiceException.isInstance(instance);
    }
    if (_ServiceException.isInstance(instance)) {
      if (this.prototype.isPrototypeOf(instance)) {
        return true;
      }
      const targetId = Object.prototype.hasOwnProperty.call(this, "shapeId") ? this.shapeId : void 0;
      let candidateHasShapeId = false;
      if (targetId) {
        let proto = Object.getPrototypeOf(candidate);
        while (proto && proto !== Object.prototype) {
          const ctor = proto.constructor;
          const candidateId = ctor !== _ServiceException && Object.prototype.hasOwnProperty.call(ctor, "shapeId") ? ctor?.shapeId : void 0;
          if (candidateId) {
            candidateHasShapeId = true;
            if (candidateId === targetId) {
              return true;
            }
          }
          proto = Object.getPrototypeOf(proto);
        }
      }
      if (targetId && candidateHasShapeId) {
        return false;
      }
      const targetName = this.name;
      if (targetName && targetName.length >= 6) {
        if (candidate.name === targetName) {
          return true;
        }
        let proto = Object.getPrototypeOf(candidate);
        while (proto && proto !== Object.prototype) {
          const ctorName = proto.constructor?.name;
          if (ctorName && ctorName !== "Error" && ctorName === targetName) {
            return true;
          }
          proto = Object.getPrototypeOf(proto);
        }
      }
    }
    return false;
  }
};
var decorateServiceException = (exception, additions = {}) => {
  Object.entries(additions).filter(([, v2]) => v2 !== void 0).forEach(([k3, v2]) => {
    if (exception[k3] == void 0 || exception[k3] === "") {
      exception[k3] = v2;
    }
  });
  const message = exception.message || exception.Message || "UnknownError";
  exception.message = message;
  delete exception.Message;
  return exception;
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/defaults-mode.js
var loadConfigsForDefaultMode = (mode) => {
  switch (mode) {
    case "standard":
      return {
        retryMode: "standard",
        connectionTimeout: 3100
      };
    case "in-region":
      return {
        retryMode: "standard",
        connectionTimeout: 1100
      };
    case "cross-region":
      return {
        retryMode: "standard",
        connectionTimeout: 3100
      };
    case "mobile":
      return {
        retryMode: "standard",
        connectionTimeout: 3e4
      };
    default:
      return {};
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/emitWarningIfUnsupportedVersion.js
var warningEmitted = false;
var emitWarningIfUnsupportedVersion = (version) => {
  if (version && !warningEmitted && parseInt(version.substring(1, version.indexOf("."))) < 16) {
    warningEmitted = true;
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/extensions/checksum.js
var knownAlgorithms = Object.values(AlgorithmId);
var getChecksumConfiguration = (runtimeConfig) => {
  const checksumAlgorithms = [];
  for (const id in AlgorithmId) {
    if (!hasOwn(AlgorithmId, id)) {
      continue;
    }
    const algorithmId = AlgorithmId[id];
    if (runtimeConfig[algorithmId] === void 0) {
      continue;
    }
    checksumAlgorithms.push({
      algorithmId: () => algorithmId,
      checksumConstructor: () => runtimeConfig[algorithmId]
    });
  }
  for (const [id, ChecksumCtor] of Object.entries(runtimeConfig.checksumAlgorithms ?? {})) {
    checksumAlgorithms.push({
      algorithmId: () => id,
      checksumConstructor: () => ChecksumCtor
    });
  }
  return {
    addChecksumAlgorithm(algo) {
      runtimeConfig.checksumAlgorithms = runtimeConfig.checksumAlgorithms ?? {};
      const id = algo.algorithmId();
      const ctor = algo.checksumConstructor();
      if (knownAlgorithms.includes(id)) {
        runtimeConfig.checksumAlgorithms[id.toUpperCase()] = ctor;
      } else {
        runtimeConfig.checksumAlgorithms[id] = ctor;
      }
      checksumAlgorithms.push(algo);
    },
    checksumAlgorithms() {
      return checksumAlgorithms;
    }
  };
};
var resolveChecksumRuntimeConfig = (clientConfig) => {
  const runtimeConfig = {};
  clientConfig.checksumAlgorithms().forEach((checksumAlgorithm) => {
    const id = checksumAlgorithm.algorithmId();
    if (knownAlgorithms.includes(id)) {
      runtimeConfig[id] = checksumAlgorithm.checksumConstructor();
    }
  });
  return runtimeConfig;
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/extensions/retry.js
var getRetryConfiguration = (runtimeConfig) => {
  return {
    setRetryStrategy(retryStrategy) {
      runtimeConfig.retryStrategy = retryStrategy;
    },
    retryStrategy() {
      return runtimeConfig.retryStrategy;
    }
  };
};
var resolveRetryRuntimeConfig = (retryStrategyConfiguration) => {
  const runtimeConfig = {};
  runtimeConfig.retryStrategy = retryStrategyConfiguration.retryStrategy();
  return runtimeConfig;
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/extensions/defaultExtensionConfiguration.js
var getDefaultExtensionConfiguration = (runtimeConfig) => {
  return Object.assign(getChecksumConfiguration(runtimeConfig), getRetryConfiguration(runtimeConfig));
};
var resolveDefaultRuntimeConfig2 = (config) => {
  return Object.assign(resolveChecksumRuntimeConfig(config), resolveRetryRuntimeConfig(config));
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/NoOpLogger.js
var NoOpLogger = class {
  trace() {
  }
  debug() {
  }
  info() {
  }
  warn() {
  }
  error() {
  }
};

// node_modules/@smithy/core/dist-es/submodules/client/smithy-client/client-command-builder.js
function makeBuilder(common, service, name, ep) {
  return function makeCommand(added, plugins, op, $, smithyContext = {}) {
    const epMerged = Object.assign({}, common, added);
    return Command.classBuilder().ep(epMerged).m(function(CommandCtor, clientStack, config, options) {
      const list2 = plugins.call(this, CommandCtor, clientStack, config, options);
      list2.unshift(ep(config, CommandCtor.getEndpointParameterInstructions()));
      return list2;
    }).s(service, op, smithyContext).n(name, op.charAt(0).toUpperCase() + op.slice(1) + "Command").sc($).build();
  };
}

// node_modules/@aws-sdk/core/dist-es/submodules/account-id-endpoint/AccountIdEndpointModeConstants.js
var DEFAULT_ACCOUNT_ID_ENDPOINT_MODE = "preferred";
var ACCOUNT_ID_ENDPOINT_MODE_VALUES = ["disabled", "preferred", "required"];
function validateAccountIdEndpointMode(value) {
  return ACCOUNT_ID_ENDPOINT_MODE_VALUES.includes(value);
}

// node_modules/@aws-sdk/core/dist-es/submodules/account-id-endpoint/AccountIdEndpointModeConfigResolver.js
var resolveAccountIdEndpointModeConfig = (input) => {
  const { accountIdEndpointMode } = input;
  const accountIdEndpointModeProvider = normalizeProvider(accountIdEndpointMode ?? DEFAULT_ACCOUNT_ID_ENDPOINT_MODE);
  return Object.assign(input, {
    accountIdEndpointMode: async () => {
      const accIdMode = await accountIdEndpointModeProvider();
      if (!validateAccountIdEndpointMode(accIdMode)) {
        throw new Error(`Invalid value for accountIdEndpointMode: ${accIdMode}. Valid values are: "required", "preferred", "disabled".`);
      }
      return accIdMode;
    }
  });
};

// node_modules/@aws-sdk/core/dist-es/submodules/account-id-endpoint/NodeAccountIdEndpointModeConfigOptions.js
var err = "Invalid AccountIdEndpointMode value";
var _throw = (message) => {
  throw new Error(message);
};
var ENV_ACCOUNT_ID_ENDPOINT_MODE = "AWS_ACCOUNT_ID_ENDPOINT_MODE";
var CONFIG_ACCOUNT_ID_ENDPOINT_MODE = "account_id_endpoint_mode";
var NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => {
    const value = env2[ENV_ACCOUNT_ID_ENDPOINT_MODE];
    if (value && !validateAccountIdEndpointMode(value)) {
      _throw(err);
    }
    return value;
  },
  configFileSelector: (profile) => {
    const value = profile[CONFIG_ACCOUNT_ID_ENDPOINT_MODE];
    if (value && !validateAccountIdEndpointMode(value)) {
      _throw(err);
    }
    return value;
  },
  default: DEFAULT_ACCOUNT_ID_ENDPOINT_MODE
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js
var state = {
  warningEmitted: false
};
var emitWarningIfUnsupportedVersion2 = (version) => {
  if (version && !state.warningEmitted) {
    if (process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED === "true") {
      state.warningEmitted = true;
      return;
    }
    const userMajorVersion = parseInt(version.substring(1, version.indexOf(".")));
    const vv = 22;
    if (userMajorVersion < vv) {
      state.warningEmitted = true;
      process.emitWarning(`NodeVersionSupportWarning: The AWS SDK for JavaScript (v3)
versions published after the first week of January 2027
will require node >=${vv}. You are running node ${version}.

To continue receiving updates to AWS services, bug fixes,
and security updates please upgrade to node >=${vv}.

More information can be found at: https://a.co/c895JFp`);
    }
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/setCredentialFeature.js
function setCredentialFeature(credentials, feature, value) {
  if (!credentials.$source) {
    credentials.$source = {};
  }
  credentials.$source[feature] = value;
  return credentials;
}

// node_modules/@aws-sdk/core/dist-es/submodules/client/setFeature.js
function setFeature(context, feature, value) {
  if (!context.__aws_sdk_context) {
    context.__aws_sdk_context = {
      features: {}
    };
  } else if (!context.__aws_sdk_context.features) {
    context.__aws_sdk_context.features = {};
  }
  context.__aws_sdk_context.features[feature] = value;
}

// node_modules/@aws-sdk/core/dist-es/submodules/client/getDefaultSocketTimeout.js
var isDefaultSocketTimeoutEnabled = () => typeof process === "object" && process?.env?.AWS_ENABLE_DEFAULT_SOCKET_TIMEOUT_2026 === "true";
var getDefaultSocketTimeout = (requestHandler, timeoutMs) => {
  if (!isDefaultSocketTimeoutEnabled()) {
    return void 0;
  }
  if (typeof requestHandler?.handle === "function") {
    return void 0;
  }
  return timeoutMs;
};

// node_modules/@smithy/core/dist-es/submodules/serde/index.js
var import_node_crypto = require("node:crypto");

// node_modules/@smithy/core/dist-es/submodules/serde/is-array-buffer/is-array-buffer.js
var isArrayBuffer = (arg) => typeof ArrayBuffer === "function" && arg instanceof ArrayBuffer || Object.prototype.toString.call(arg) === "[object ArrayBuffer]";

// node_modules/@smithy/core/dist-es/submodules/serde/util-buffer-from/buffer-from.js
var fromArrayBuffer = (input, offset = 0, length = input.byteLength - offset) => {
  if (!isArrayBuffer(input)) {
    throw new TypeError(`The "input" argument must be ArrayBuffer. Received type ${typeof input} (${input})`);
  }
  return Buffer.from(input, offset, length);
};
var fromString = (input, encoding) => {
  if (typeof input !== "string") {
    throw new TypeError(`The "input" argument must be of type string. Received type ${typeof input} (${input})`);
  }
  return encoding ? Buffer.from(input, encoding) : Buffer.from(input);
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-base64/fromBase64.js
var BASE64_REGEX = /^[A-Za-z0-9+/]*={0,2}$/;
var fromBase64 = (input) => {
  if (input.length * 3 % 4 !== 0) {
    throw new TypeError(`Incorrect padding on base64 string.`);
  }
  if (!BASE64_REGEX.exec(input)) {
    throw new TypeError(`Invalid base64 string.`);
  }
  const buffer = fromString(input, "base64");
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-utf8/fromUtf8.js
var fromUtf8 = (input) => {
  const buf = fromString(input, "utf8");
  return new Uint8Array(buf.buffer, buf.byteOffset, buf.byteLength / Uint8Array.BYTES_PER_ELEMENT);
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-base64/toBase64.js
var toBase64 = (_input) => {
  let input;
  if (typeof _input === "string") {
    input = fromUtf8(_input);
  } else {
    input = _input;
  }
  if (typeof input !== "object" || typeof input.byteOffset !== "number" || typeof input.byteLength !== "number") {
    throw new Error("@smithy/util-base64: toBase64 encoder function only accepts string | Uint8Array.");
  }
  return fromArrayBuffer(input.buffer, input.byteOffset, input.byteLength).toString("base64");
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-stream/blob/Uint8ArrayBlobAdapter.js
function bindUint8ArrayBlobAdapter(toUtf82, fromUtf82, toBase642, fromBase642) {
  return class Uint8ArrayBlobAdapter2 extends Uint8Array {
    static fromString(source, encoding = "utf-8") {
      if (typeof source === "string") {
        if (encoding === "base64") {
          return Uint8ArrayBlobAdapter2.mutate(fromBase642(source));
        }
        return Uint8ArrayBlobAdapter2.mutate(fromUtf82(source));
      }
      throw new Error(`Unsupported conversion from ${typeof source} to Uint8ArrayBlobAdapter.`);
    }
    static mutate(source) {
      Object.setPrototypeOf(source, Uint8ArrayBlobAdapter2.prototype);
      return source;
    }
    transformToString(encoding = "utf-8") {
      if (encoding === "base64") {
        return toBase642(this);
      }
      return toUtf82(this);
    }
  };
}

// node_modules/@smithy/core/dist-es/submodules/serde/util-utf8/toUtf8.js
var toUtf8 = (input) => {
  if (typeof input === "string") {
    return input;
  }
  if (typeof input !== "object" || typeof input.byteOffset !== "number" || typeof input.byteLength !== "number") {
    throw new Error("@smithy/util-utf8: toUtf8 encoder function only accepts string | Uint8Array.");
  }
  return fromArrayBuffer(input.buffer, input.byteOffset, input.byteLength).toString("utf8");
};

// node_modules/@smithy/core/dist-es/submodules/serde/uuid/v4.js
var decimalToHex = Array.from({ length: 256 }, (_, i3) => i3.toString(16).padStart(2, "0"));
function bindV4(getRandomValues2) {
  if (typeof crypto !== "undefined" && typeof crypto.randomUUID === "function") {
    return () => crypto.randomUUID();
  }
  return () => {
    const rnds = new Uint8Array(16);
    getRandomValues2(rnds);
    rnds[6] = rnds[6] & 15 | 64;
    rnds[8] = rnds[8] & 63 | 128;
    return decimalToHex[rnds[0]] + decimalToHex[rnds[1]] + decimalToHex[rnds[2]] + decimalToHex[rnds[3]] + "-" + decimalToHex[rnds[4]] + decimalToHex[rnds[5]] + "-" + decimalToHex[rnds[6]] + decimalToHex[rnds[7]] + "-" + decimalToHex[rnds[8]] + decimalToHex[rnds[9]] + "-" + decimalToHex[rnds[10]] + decimalToHex[rnds[11]] + decimalToHex[rnds[12]] + decimalToHex[rnds[13]] + decimalToHex[rnds[14]] + decimalToHex[rnds[15]];
  };
}

// node_modules/@smithy/core/dist-es/submodules/serde/date-utils.js
var unsupported = () => {
  throw new Error("The parsers of dates in text format are not part of the bundles.");
};
var parseEpochTimestamp = (seconds) => seconds === null || seconds === void 0 ? void 0 : new Date(Math.round(Number(seconds) * 1e3));

// node_modules/@smithy/core/dist-es/submodules/serde/lazy-json.js
var LazyJsonString = function LazyJsonString2(val) {
  const str = Object.assign(new String(val), {
    deserializeJSON() {
      return JSON.parse(String(val));
    },
    toString() {
      return String(val);
    },
    toJSON() {
      return String(val);
    }
  });
  return str;
};
LazyJsonString.from = (object2) => {
  if (object2 && typeof object2 === "object" && (object2 instanceof LazyJsonString || "deserializeJSON" in object2)) {
    return object2;
  } else if (typeof object2 === "string" || Object.getPrototypeOf(object2) === String.prototype) {
    return LazyJsonString(String(object2));
  }
  return LazyJsonString(JSON.stringify(object2));
};
LazyJsonString.fromObject = LazyJsonString.from;

// node_modules/@smithy/core/dist-es/submodules/serde/value/NumericValue.js
var format = /^-?((0|[1-9]\d*)(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/;
var NumericValue = class _NumericValue {
  string;
  type;
  constructor(string2, type) {
    this.string = string2;
    this.type = type;
    if (!format.test(string2)) {
      throw new Error(`@smithy/core/serde - NumericValue string must conform to the Smithy bigDecimal format. Received: "${string2}"`);
    }
  }
  toString() {
    return this.string;
  }
  static [Symbol.hasInstance](object2) {
    if (!object2 || typeof object2 !== "object") {
      return false;
    }
    const _nv = object2;
    return _NumericValue.prototype.isPrototypeOf(object2) || _nv.type === "bigDecimal" && format.test(_nv.string);
  }
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-hex-encoding/hex-encoding.js
var SHORT_TO_HEX = {};
var HEX_TO_SHORT = {};
for (let i3 = 0; i3 < 256; i3++) {
  let encodedByte = i3.toString(16).toLowerCase();
  if (encodedByte.length === 1) {
    encodedByte = `0${encodedByte}`;
  }
  SHORT_TO_HEX[i3] = encodedByte;
  HEX_TO_SHORT[encodedByte] = i3;
}
function fromHex(encoded) {
  if (encoded.length % 2 !== 0) {
    throw new Error("Hex encoded strings must have an even number length");
  }
  const out = new Uint8Array(encoded.length / 2);
  for (let i3 = 0; i3 < encoded.length; i3 += 2) {
    const encodedByte = encoded.slice(i3, i3 + 2).toLowerCase();
    if (encodedByte in HEX_TO_SHORT) {
      out[i3 / 2] = HEX_TO_SHORT[encodedByte];
    } else {
      throw new Error(`Cannot decode unrecognized sequence ${encodedByte} as hexadecimal`);
    }
  }
  return out;
}
function toHex(bytes) {
  let out = "";
  for (let i3 = 0; i3 < bytes.byteLength; i3++) {
    out += SHORT_TO_HEX[bytes[i3]];
  }
  return out;
}

// node_modules/@smithy/core/dist-es/submodules/serde/util-body-length/calculateBodyLength.js
var import_node_fs = require("node:fs");
var calculateBodyLength = (body) => {
  if (!body) {
    return 0;
  }
  if (typeof body === "string") {
    return Buffer.byteLength(body);
  } else if (typeof body.byteLength === "number") {
    return body.byteLength;
  } else if (typeof body.size === "number") {
    return body.size;
  } else if (typeof body.start === "number" && typeof body.end === "number") {
    return body.end + 1 - body.start;
  } else if (body instanceof import_node_fs.ReadStream) {
    if (body.path != null) {
      return (0, import_node_fs.lstatSync)(body.path).size;
    } else if (typeof body.fd === "number") {
      return (0, import_node_fs.fstatSync)(body.fd).size;
    }
  }
  throw new Error(`Body Length computation failed for ${body}`);
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-utf8/toUint8Array.js
var toUint8Array = (data) => {
  if (data instanceof Uint8Array) {
    return data;
  }
  if (typeof data === "string") {
    return fromUtf8(data);
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength / Uint8Array.BYTES_PER_ELEMENT);
  }
  return new Uint8Array(data);
};

// node_modules/@smithy/core/dist-es/submodules/serde/concatBytes.js
function concatBytes(arrays, length) {
  if (length === void 0) {
    length = 0;
    for (const bytes of arrays) {
      length += bytes.byteLength;
    }
  }
  const result = new Uint8Array(length);
  let offset = 0;
  for (const buf of arrays) {
    result.set(buf, offset);
    offset += buf.byteLength;
  }
  return result;
}

// node_modules/@smithy/core/dist-es/submodules/config/property-provider/ProviderError.js
var ProviderError = class _ProviderError extends Error {
  name = "ProviderError";
  tryNextLink;
  constructor(message, options = true) {
    let logger;
    let tryNextLink = true;
    if (typeof options === "boolean") {
      logger = void 0;
      tryNextLink = options;
    } else if (options != null && typeof options === "object") {
      logger = options.logger;
      tryNextLink = options.tryNextLink ?? true;
    }
    super(message);
    this.tryNextLink = tryNextLink;
    Object.setPrototypeOf(this, _ProviderError.prototype);
    logger?.debug?.(`@smithy/property-provider ${tryNextLink ? "->" : "(!)"} ${message}`);
  }
  static from(error, options = true) {
    return Object.assign(new this(error.message, options), error);
  }
};

// node_modules/@smithy/core/dist-es/submodules/config/property-provider/CredentialsProviderError.js
var CredentialsProviderError = class _CredentialsProviderError extends ProviderError {
  name = "CredentialsProviderError";
  constructor(message, options = true) {
    super(message, options);
    Object.setPrototypeOf(this, _CredentialsProviderError.prototype);
  }
};

// node_modules/@smithy/core/dist-es/submodules/config/property-provider/chain.js
var chain = (...providers) => async () => {
  if (providers.length === 0) {
    throw new ProviderError("No providers in chain");
  }
  let lastProviderError;
  for (const provider of providers) {
    try {
      const credentials = await provider();
      return credentials;
    } catch (err2) {
      lastProviderError = err2;
      if (err2?.tryNextLink) {
        continue;
      }
      throw err2;
    }
  }
  throw lastProviderError;
};

// node_modules/@smithy/core/dist-es/submodules/config/property-provider/fromValue.js
var fromValue = (staticValue) => () => Promise.resolve(staticValue);

// node_modules/@smithy/core/dist-es/submodules/config/property-provider/memoize.js
var memoize = (provider, isExpired, requiresRefresh) => {
  let resolved;
  let pending;
  let hasResult;
  let isConstant = false;
  const coalesceProvider = async () => {
    if (!pending) {
      pending = provider();
    }
    try {
      resolved = await pending;
      hasResult = true;
      isConstant = false;
    } finally {
      pending = void 0;
    }
    return resolved;
  };
  if (isExpired === void 0) {
    return async (options) => {
      if (!hasResult || options?.forceRefresh) {
        resolved = await coalesceProvider();
      }
      return resolved;
    };
  }
  return async (options) => {
    if (!hasResult || options?.forceRefresh) {
      resolved = await coalesceProvider();
    }
    if (isConstant) {
      return resolved;
    }
    if (requiresRefresh && !requiresRefresh(resolved)) {
      isConstant = true;
      return resolved;
    }
    if (isExpired(resolved)) {
      await coalesceProvider();
      return resolved;
    }
    return resolved;
  };
};

// node_modules/@smithy/core/dist-es/submodules/config/util-config-provider/booleanSelector.js
var booleanSelector = (obj, key, type) => {
  if (!(key in obj)) {
    return void 0;
  }
  if (obj[key] === "true") {
    return true;
  }
  if (obj[key] === "false") {
    return false;
  }
  throw new Error(`Cannot load ${type} "${key}". Expected "true" or "false", got ${obj[key]}.`);
};

// node_modules/@smithy/core/dist-es/submodules/config/util-config-provider/types.js
var SelectorType;
(function(SelectorType2) {
  SelectorType2["ENV"] = "env";
  SelectorType2["CONFIG"] = "shared config entry";
})(SelectorType || (SelectorType = {}));

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/getHomeDir.js
var import_node_os = require("node:os");
var import_node_path = require("node:path");
var homeDirCache = {};
var getHomeDirCacheKey = () => {
  if (process && process.geteuid) {
    return `${process.geteuid()}`;
  }
  return "DEFAULT";
};
var getHomeDir = () => {
  const { HOME, USERPROFILE, HOMEPATH, HOMEDRIVE = `C:${import_node_path.sep}` } = process.env;
  if (HOME) {
    return HOME;
  }
  if (USERPROFILE) {
    return USERPROFILE;
  }
  if (HOMEPATH) {
    return `${HOMEDRIVE}${HOMEPATH}`;
  }
  const homeDirCacheKey = getHomeDirCacheKey();
  if (!homeDirCache[homeDirCacheKey]) {
    homeDirCache[homeDirCacheKey] = (0, import_node_os.homedir)();
  }
  return homeDirCache[homeDirCacheKey];
};

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/getProfileName.js
var ENV_PROFILE = "AWS_PROFILE";
var DEFAULT_PROFILE = "default";
var getProfileName = (init) => init.profile || process.env[ENV_PROFILE] || DEFAULT_PROFILE;

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/constants.js
var CONFIG_PREFIX_SEPARATOR = ".";

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js
var import_node_path4 = require("node:path");

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/getConfigData.js
var getConfigData = (data) => Object.entries(data).filter(([key]) => {
  const indexOfSeparator = key.indexOf(CONFIG_PREFIX_SEPARATOR);
  if (indexOfSeparator === -1) {
    return false;
  }
  return Object.values(IniSectionType).includes(key.substring(0, indexOfSeparator));
}).reduce((acc, [key, value]) => {
  const indexOfSeparator = key.indexOf(CONFIG_PREFIX_SEPARATOR);
  const updatedKey = key.substring(0, indexOfSeparator) === IniSectionType.PROFILE ? key.substring(indexOfSeparator + 1) : key;
  acc[updatedKey] = value;
  return acc;
}, {
  ...data.default && { default: data.default }
});

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/getConfigFilepath.js
var import_node_path2 = require("node:path");
var ENV_CONFIG_PATH = "AWS_CONFIG_FILE";
var getConfigFilepath = () => process.env[ENV_CONFIG_PATH] || (0, import_node_path2.join)(getHomeDir(), ".aws", "config");

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/getCredentialsFilepath.js
var import_node_path3 = require("node:path");
var ENV_CREDENTIALS_PATH = "AWS_SHARED_CREDENTIALS_FILE";
var getCredentialsFilepath = () => process.env[ENV_CREDENTIALS_PATH] || (0, import_node_path3.join)(getHomeDir(), ".aws", "credentials");

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/parseIni.js
var prefixKeyRegex = /^([\w-]+)\s(["'])?([\w-@+.%:/]+)\2$/;
var profileNameBlockList = ["__proto__", "profile __proto__"];
var parseIni = (iniData) => {
  const map = {};
  let currentSection;
  let currentSubSection;
  for (const iniLine of iniData.split(/\r?\n/)) {
    const trimmedLine = iniLine.split(/(^|\s)[;#]/)[0].trim();
    const isSection = trimmedLine[0] === "[" && trimmedLine[trimmedLine.length - 1] === "]";
    if (isSection) {
      currentSection = void 0;
      currentSubSection = void 0;
      const sectionName = trimmedLine.substring(1, trimmedLine.length - 1);
      const matches = prefixKeyRegex.exec(sectionName);
      if (matches) {
        const [, prefix, , name] = matches;
        if (Object.values(IniSectionType).includes(prefix)) {
          currentSection = [prefix, name].join(CONFIG_PREFIX_SEPARATOR);
        }
      } else {
        currentSection = sectionName;
      }
      if (profileNameBlockList.includes(sectionName)) {
        throw new Error(`Found invalid profile name "${sectionName}"`);
      }
    } else if (currentSection) {
      const indexOfEqualsSign = trimmedLine.indexOf("=");
      if (![0, -1].includes(indexOfEqualsSign)) {
        const [name, value] = [
          trimmedLine.substring(0, indexOfEqualsSign).trim(),
          trimmedLine.substring(indexOfEqualsSign + 1).trim()
        ];
        if (value === "") {
          currentSubSection = name;
        } else {
          if (currentSubSection && iniLine.trimStart() === iniLine) {
            currentSubSection = void 0;
          }
          map[currentSection] = map[currentSection] || {};
          const key = currentSubSection ? [currentSubSection, name].join(CONFIG_PREFIX_SEPARATOR) : name;
          map[currentSection][key] = value;
        }
      }
    }
  }
  return map;
};

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/readFile.js
var import_promises = require("node:fs/promises");
var filePromises = {};
var fileIntercept = {};
var readFile = (path, options) => {
  if (fileIntercept[path] !== void 0) {
    return fileIntercept[path];
  }
  if (!filePromises[path] || options?.ignoreCache) {
    filePromises[path] = (0, import_promises.readFile)(path, "utf8");
  }
  return filePromises[path];
};

// node_modules/@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js
var swallowError = () => ({});
var loadSharedConfigFiles = async (init = {}) => {
  const { filepath = getCredentialsFilepath(), configFilepath = getConfigFilepath() } = init;
  const homeDir = getHomeDir();
  const relativeHomeDirPrefix = "~/";
  let resolvedFilepath = filepath;
  if (filepath.startsWith(relativeHomeDirPrefix)) {
    resolvedFilepath = (0, import_node_path4.join)(homeDir, filepath.slice(2));
  }
  let resolvedConfigFilepath = configFilepath;
  if (configFilepath.startsWith(relativeHomeDirPrefix)) {
    resolvedConfigFilepath = (0, import_node_path4.join)(homeDir, configFilepath.slice(2));
  }
  const parsedFiles = await Promise.all([
    readFile(resolvedConfigFilepath, {
      ignoreCache: init.ignoreCache
    }).then(parseIni).then(getConfigData).catch(swallowError),
    readFile(resolvedFilepath, {
      ignoreCache: init.ignoreCache
    }).then(parseIni).catch(swallowError)
  ]);
  return {
    configFile: parsedFiles[0],
    credentialsFile: parsedFiles[1]
  };
};

// node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/getSelectorName.js
function getSelectorName(functionString) {
  try {
    const constants = new Set(Array.from(functionString.match(/([A-Z_]){3,}/g) ?? []));
    constants.delete("CONFIG");
    constants.delete("CONFIG_PREFIX_SEPARATOR");
    constants.delete("ENV");
    return [...constants].join(", ");
  } catch (ignored) {
    return functionString;
  }
}

// node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/fromEnv.js
var fromEnv = (envVarSelector, options) => async () => {
  try {
    const config = envVarSelector(process.env, options);
    if (config === void 0) {
      throw new Error();
    }
    return config;
  } catch (e3) {
    throw new CredentialsProviderError(e3.message || `Not found in ENV: ${getSelectorName(envVarSelector.toString())}`, { logger: options?.logger });
  }
};

// node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/fromSharedConfigFiles.js
var fromSharedConfigFiles = (configSelector, { preferredFile = "config", ...init } = {}) => async () => {
  const profile = getProfileName(init);
  const { configFile, credentialsFile } = await loadSharedConfigFiles(init);
  const profileFromCredentials = credentialsFile[profile] || {};
  const profileFromConfig = configFile[profile] || {};
  const mergedProfile = preferredFile === "config" ? { ...profileFromCredentials, ...profileFromConfig } : { ...profileFromConfig, ...profileFromCredentials };
  try {
    const cfgFile = preferredFile === "config" ? configFile : credentialsFile;
    const configValue = configSelector(mergedProfile, cfgFile);
    if (configValue === void 0) {
      throw new Error();
    }
    return configValue;
  } catch (e3) {
    throw new CredentialsProviderError(e3.message || `Not found in config files w/ profile [${profile}]: ${getSelectorName(configSelector.toString())}`, { logger: init.logger });
  }
};

// node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/fromStatic.js
var isFunction = (func) => typeof func === "function";
var fromStatic = (defaultValue) => isFunction(defaultValue) ? async () => await defaultValue() : fromValue(defaultValue);

// node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/configLoader.js
var loadConfig = ({ environmentVariableSelector, configFileSelector, default: defaultValue }, configuration = {}) => {
  const { signingName, logger } = configuration;
  const envOptions = { signingName, logger };
  return memoize(chain(fromEnv(environmentVariableSelector, envOptions), fromSharedConfigFiles(configFileSelector, configuration), fromStatic(defaultValue)));
};

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/endpointsConfig/NodeUseDualstackEndpointConfigOptions.js
var ENV_USE_DUALSTACK_ENDPOINT = "AWS_USE_DUALSTACK_ENDPOINT";
var CONFIG_USE_DUALSTACK_ENDPOINT = "use_dualstack_endpoint";
var NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => booleanSelector(env2, ENV_USE_DUALSTACK_ENDPOINT, SelectorType.ENV),
  configFileSelector: (profile) => booleanSelector(profile, CONFIG_USE_DUALSTACK_ENDPOINT, SelectorType.CONFIG),
  default: false
};

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/endpointsConfig/NodeUseFipsEndpointConfigOptions.js
var ENV_USE_FIPS_ENDPOINT = "AWS_USE_FIPS_ENDPOINT";
var CONFIG_USE_FIPS_ENDPOINT = "use_fips_endpoint";
var NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => booleanSelector(env2, ENV_USE_FIPS_ENDPOINT, SelectorType.ENV),
  configFileSelector: (profile) => booleanSelector(profile, CONFIG_USE_FIPS_ENDPOINT, SelectorType.CONFIG),
  default: false
};

// node_modules/@smithy/core/dist-es/submodules/config/defaults-mode/constants.js
var AWS_EXECUTION_ENV = "AWS_EXECUTION_ENV";
var AWS_REGION_ENV = "AWS_REGION";
var AWS_DEFAULT_REGION_ENV = "AWS_DEFAULT_REGION";
var ENV_IMDS_DISABLED = "AWS_EC2_METADATA_DISABLED";
var DEFAULTS_MODE_OPTIONS = ["in-region", "cross-region", "mobile", "standard", "legacy"];
var IMDS_REGION_PATH = "/latest/meta-data/placement/region";
var IMDS_TOKEN_PATH = "/latest/api/token";
var X_AWS_EC2_METADATA_TOKEN = "x-aws-ec2-metadata-token";
var X_AWS_EC2_METADATA_TOKEN_TTL = "x-aws-ec2-metadata-token-ttl-seconds";

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js
var TIMEOUT_MS = 1e3;
var NEG_CACHE_TTL_MS = 6e4;
var negativeCacheUntil = 0;
var getInstanceMetadataRegion = async () => {
  if (process.env[ENV_IMDS_DISABLED]) {
    return void 0;
  }
  if (Date.now() < negativeCacheUntil) {
    return void 0;
  }
  try {
    const endpoint = resolveImdsEndpoint();
    const token = (await imdsRequest({
      ...endpoint,
      path: IMDS_TOKEN_PATH,
      method: "PUT",
      headers: {
        [X_AWS_EC2_METADATA_TOKEN_TTL]: "21600"
      }
    })).toString();
    const region = (await imdsRequest({
      ...endpoint,
      path: IMDS_REGION_PATH,
      method: "GET",
      headers: {
        [X_AWS_EC2_METADATA_TOKEN]: token
      }
    })).toString().trim();
    return region || cacheNegativeAndReturnUndefined();
  } catch {
    return cacheNegativeAndReturnUndefined();
  }
};
var cacheNegativeAndReturnUndefined = () => {
  negativeCacheUntil = Date.now() + NEG_CACHE_TTL_MS;
  return void 0;
};
var resolveImdsEndpoint = () => {
  const envEndpoint = process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT;
  if (envEndpoint) {
    const url = new URL(envEndpoint);
    return {
      hostname: url.hostname.replace(/^\[(.+)]$/, "$1"),
      port: url.port ? Number(url.port) : void 0
    };
  }
  if (process.env.AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE === "IPv6") {
    return { hostname: "fd00:ec2::254" };
  }
  return { hostname: "169.254.169.254" };
};
var imdsRequest = async (options) => {
  const { request } = await Promise.resolve().then(() => __toESM(require("node:http")));
  return new Promise((resolve, reject) => {
    const req = request({
      hostname: options.hostname,
      port: options.port,
      path: options.path,
      method: options.method,
      headers: options.headers,
      timeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS)
    });
    req.on("error", (err2) => {
      reject(err2);
      req.destroy();
    });
    req.on("timeout", () => {
      reject(new Error("TimeoutError from instance metadata service"));
      req.destroy();
    });
    req.on("response", (res) => {
      const { statusCode = 400 } = res;
      if (statusCode < 200 || statusCode >= 300) {
        reject(Object.assign(new Error("Error response received from instance metadata service"), { statusCode }));
        req.destroy();
        return;
      }
      const chunks = [];
      res.on("data", (chunk) => chunks.push(chunk));
      res.on("end", () => {
        resolve(Buffer.concat(chunks));
        req.destroy();
      });
    });
    req.end();
  });
};

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/config.js
var REGION_ENV_NAME = "AWS_REGION";
var REGION_INI_NAME = "region";
var NODE_REGION_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => env2[REGION_ENV_NAME],
  configFileSelector: (profile) => profile[REGION_INI_NAME],
  default: async () => {
    const region = await getInstanceMetadataRegion();
    if (region) {
      return region;
    }
    throw new Error("Region is missing");
  }
};
var NODE_REGION_CONFIG_FILE_OPTIONS = {
  preferredFile: "credentials"
};

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/checkRegion.js
var validRegions = /* @__PURE__ */ new Set();
var checkRegion = (region, check = isValidHostLabel) => {
  if (!validRegions.has(region) && !check(region)) {
    if (region === "*") {
      console.warn(`@smithy/config-resolver WARN - Please use the caller region instead of "*". See "sigv4a" in https://github.com/aws/aws-sdk-js-v3/blob/main/supplemental-docs/CLIENTS.md.`);
    } else {
      throw new Error(`Region not accepted: region="${region}" is not a valid hostname component.`);
    }
  } else {
    validRegions.add(region);
  }
};

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/isFipsRegion.js
var isFipsRegion = (region) => typeof region === "string" && (region.startsWith("fips-") || region.endsWith("-fips"));

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getRealRegion.js
var getRealRegion = (region) => isFipsRegion(region) ? ["fips-aws-global", "aws-fips"].includes(region) ? "us-east-1" : region.replace(/fips-(dkr-|prod-)?|-fips/, "") : region;

// node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/resolveRegionConfig.js
var resolveRegionConfig = (input) => {
  const { region, useFipsEndpoint } = input;
  if (!region) {
    throw new Error("Region is missing");
  }
  return Object.assign(input, {
    region: async () => {
      const providedRegion = typeof region === "function" ? await region() : region;
      const realRegion = getRealRegion(providedRegion);
      checkRegion(realRegion);
      return realRegion;
    },
    useFipsEndpoint: async () => {
      const providedRegion = typeof region === "string" ? region : await region();
      if (isFipsRegion(providedRegion)) {
        return true;
      }
      return typeof useFipsEndpoint !== "function" ? Promise.resolve(!!useFipsEndpoint) : useFipsEndpoint();
    }
  });
};

// node_modules/@smithy/core/dist-es/submodules/config/defaults-mode/defaultsModeConfig.js
var AWS_DEFAULTS_MODE_ENV = "AWS_DEFAULTS_MODE";
var AWS_DEFAULTS_MODE_CONFIG = "defaults_mode";
var NODE_DEFAULTS_MODE_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => {
    return env2[AWS_DEFAULTS_MODE_ENV];
  },
  configFileSelector: (profile) => {
    return profile[AWS_DEFAULTS_MODE_CONFIG];
  },
  default: "legacy"
};

// node_modules/@smithy/core/dist-es/submodules/config/defaults-mode/resolveDefaultsModeConfig.js
var resolveDefaultsModeConfig = ({ region = loadConfig(NODE_REGION_CONFIG_OPTIONS), defaultsMode = loadConfig(NODE_DEFAULTS_MODE_CONFIG_OPTIONS) } = {}) => memoize(async () => {
  const mode = typeof defaultsMode === "function" ? await defaultsMode() : defaultsMode;
  switch (mode?.toLowerCase()) {
    case "auto":
      return resolveNodeDefaultsModeAuto(region);
    case "in-region":
    case "cross-region":
    case "mobile":
    case "standard":
    case "legacy":
      return Promise.resolve(mode?.toLocaleLowerCase());
    case void 0:
      return Promise.resolve("legacy");
    default:
      throw new Error(`Invalid parameter for "defaultsMode", expect ${DEFAULTS_MODE_OPTIONS.join(", ")}, got ${mode}`);
  }
});
var resolveNodeDefaultsModeAuto = async (clientRegion) => {
  if (clientRegion) {
    const resolvedRegion = typeof clientRegion === "function" ? await clientRegion() : clientRegion;
    const inferredRegion = await inferPhysicalRegion();
    if (!inferredRegion) {
      return "standard";
    }
    if (resolvedRegion === inferredRegion) {
      return "in-region";
    } else {
      return "cross-region";
    }
  }
  return "standard";
};
var inferPhysicalRegion = async () => {
  if (process.env[AWS_EXECUTION_ENV] && (process.env[AWS_REGION_ENV] || process.env[AWS_DEFAULT_REGION_ENV])) {
    return process.env[AWS_REGION_ENV] ?? process.env[AWS_DEFAULT_REGION_ENV];
  }
  return getInstanceMetadataRegion();
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getEndpointUrlConfig.js
var ENV_ENDPOINT_URL = "AWS_ENDPOINT_URL";
var CONFIG_ENDPOINT_URL = "endpoint_url";
var getEndpointUrlConfig = (serviceId) => ({
  environmentVariableSelector: (env2) => {
    const serviceSuffixParts = serviceId.split(" ").map((w2) => w2.toUpperCase());
    const serviceEndpointUrl = env2[[ENV_ENDPOINT_URL, ...serviceSuffixParts].join("_")];
    if (serviceEndpointUrl) {
      return serviceEndpointUrl;
    }
    const endpointUrl = env2[ENV_ENDPOINT_URL];
    if (endpointUrl) {
      return endpointUrl;
    }
    return void 0;
  },
  configFileSelector: (profile, config) => {
    if (profile.services) {
      const servicesSectionKey = ["services", profile.services].join(CONFIG_PREFIX_SEPARATOR);
      if (!config || !config[servicesSectionKey]) {
        throw new Error(`The services section "${profile.services}" specified in the profile is not present in the shared configuration file.`);
      }
      const servicesSection = config[servicesSectionKey];
      const servicePrefixParts = serviceId.split(" ").map((w2) => w2.toLowerCase());
      const endpointUrl2 = servicesSection[[servicePrefixParts.join("_"), CONFIG_ENDPOINT_URL].join(CONFIG_PREFIX_SEPARATOR)];
      if (endpointUrl2) {
        return endpointUrl2;
      }
    }
    const endpointUrl = profile[CONFIG_ENDPOINT_URL];
    if (endpointUrl) {
      return endpointUrl;
    }
    return void 0;
  },
  default: void 0
});

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getIgnoreConfiguredEndpointUrls.js
var ENV_IGNORE_CONFIGURED_ENDPOINT_URLS = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS";
var CONFIG_IGNORE_CONFIGURED_ENDPOINT_URLS = "ignore_configured_endpoint_urls";
var ignoreConfiguredEndpointUrlsConfigSelectors = {
  environmentVariableSelector: (env2) => booleanSelector(env2, ENV_IGNORE_CONFIGURED_ENDPOINT_URLS, SelectorType.ENV),
  configFileSelector: (profile) => booleanSelector(profile, CONFIG_IGNORE_CONFIGURED_ENDPOINT_URLS, SelectorType.CONFIG),
  default: false
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getEndpointFromConfig.js
var getEndpointFromConfig = async (serviceId) => {
  const ignore = await loadConfig(ignoreConfiguredEndpointUrlsConfigSelectors)();
  if (ignore) {
    return void 0;
  }
  return loadConfig(getEndpointUrlConfig(serviceId ?? ""))();
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/s3.js
var resolveParamsForS3 = async (endpointParams) => {
  const bucket = endpointParams?.Bucket || "";
  if (typeof endpointParams.Bucket === "string") {
    endpointParams.Bucket = bucket.replace(/#/g, encodeURIComponent("#")).replace(/\?/g, encodeURIComponent("?"));
  }
  if (isArnBucketName(bucket)) {
    if (endpointParams.ForcePathStyle === true) {
      throw new Error("Path-style addressing cannot be used with ARN buckets");
    }
  } else if (!isDnsCompatibleBucketName(bucket) || bucket.indexOf(".") !== -1 && !String(endpointParams.Endpoint).startsWith("http:") || bucket.toLowerCase() !== bucket || bucket.length < 3) {
    endpointParams.ForcePathStyle = true;
  }
  if (endpointParams.DisableMultiRegionAccessPoints) {
    endpointParams.disableMultiRegionAccessPoints = true;
    endpointParams.DisableMRAP = true;
  }
  return endpointParams;
};
var DOMAIN_PATTERN = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
var IP_ADDRESS_PATTERN = /(\d+\.){3}\d+/;
var DOTS_PATTERN = /\.\./;
var isDnsCompatibleBucketName = (bucketName) => DOMAIN_PATTERN.test(bucketName) && !IP_ADDRESS_PATTERN.test(bucketName) && !DOTS_PATTERN.test(bucketName);
var isArnBucketName = (bucketName) => {
  const [arn, partition2, service, , , bucket] = bucketName.split(":");
  const isArn = arn === "arn" && bucketName.split(":").length >= 6;
  const isValidArn = Boolean(isArn && partition2 && service && bucket);
  if (isArn && !isValidArn) {
    throw new Error(`Invalid ARN: ${bucketName} was an invalid ARN.`);
  }
  return isValidArn;
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/createConfigValueProvider.js
var createConfigValueProvider = (configKey, canonicalEndpointParamKey, config, isClientContextParam = false) => {
  const configProvider = async () => {
    let configValue;
    if (isClientContextParam) {
      const clientContextParams = config.clientContextParams;
      const nestedValue = clientContextParams?.[configKey];
      configValue = nestedValue ?? config[configKey] ?? config[canonicalEndpointParamKey];
    } else {
      configValue = config[configKey] ?? config[canonicalEndpointParamKey];
    }
    if (typeof configValue === "function") {
      return configValue();
    }
    return configValue;
  };
  if (configKey === "credentialScope" || canonicalEndpointParamKey === "CredentialScope") {
    return async () => {
      const credentials = typeof config.credentials === "function" ? await config.credentials() : config.credentials;
      const configValue = credentials?.credentialScope ?? credentials?.CredentialScope;
      return configValue;
    };
  }
  if (configKey === "accountId" || canonicalEndpointParamKey === "AccountId") {
    return async () => {
      const credentials = typeof config.credentials === "function" ? await config.credentials() : config.credentials;
      const configValue = credentials?.accountId ?? credentials?.AccountId;
      return configValue;
    };
  }
  if (configKey === "endpoint" || canonicalEndpointParamKey === "endpoint") {
    return async () => {
      if (config.isCustomEndpoint === false) {
        return void 0;
      }
      const endpoint = await configProvider();
      if (endpoint && typeof endpoint === "object") {
        if ("url" in endpoint) {
          return endpoint.url.href;
        }
        if ("hostname" in endpoint) {
          const { protocol, hostname, port, path } = endpoint;
          return `${protocol}//${hostname}${port ? ":" + port : ""}${path}`;
        }
      }
      return endpoint;
    };
  }
  return configProvider;
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getEndpointFromInstructions.js
function bindGetEndpointFromInstructions(getEndpointFromConfig2) {
  return async (commandInput, instructionsSupplier, clientConfig, context) => {
    if (!clientConfig.isCustomEndpoint && !clientConfig.ignoreConfiguredEndpointUrls) {
      let endpointFromConfig;
      if (clientConfig.serviceConfiguredEndpoint) {
        endpointFromConfig = await clientConfig.serviceConfiguredEndpoint();
      } else {
        endpointFromConfig = await getEndpointFromConfig2(clientConfig.serviceId);
      }
      if (endpointFromConfig) {
        clientConfig.endpoint = () => Promise.resolve(toEndpointV1(endpointFromConfig));
        clientConfig.isCustomEndpoint = true;
        context?.logger?.debug?.(`@smithy/core/endpoints - resolved endpoint from config: ${endpointFromConfig}`);
      }
    }
    const endpointParams = await resolveParams(commandInput, instructionsSupplier, clientConfig);
    if (typeof clientConfig.endpointProvider !== "function") {
      throw new Error("config.endpointProvider is not set.");
    }
    const endpoint = clientConfig.endpointProvider(endpointParams, context);
    if (clientConfig.isCustomEndpoint && clientConfig.endpoint) {
      const customEndpoint = await clientConfig.endpoint();
      if (customEndpoint?.headers) {
        endpoint.headers ??= {};
        for (const [name, value] of Object.entries(customEndpoint.headers)) {
          endpoint.headers[name] = Array.isArray(value) ? value : [value];
        }
      }
    }
    return endpoint;
  };
}
var resolveParams = async (commandInput, instructionsSupplier, clientConfig) => {
  const endpointParams = {};
  const instructions = instructionsSupplier?.getEndpointParameterInstructions?.() || {};
  for (const [name, instruction] of Object.entries(instructions)) {
    switch (instruction.type) {
      case "staticContextParams":
        endpointParams[name] = instruction.value;
        break;
      case "contextParams":
        endpointParams[name] = commandInput[instruction.name];
        break;
      case "clientContextParams":
      case "builtInParams":
        endpointParams[name] = await createConfigValueProvider(instruction.name, name, clientConfig, instruction.type !== "builtInParams")();
        break;
      case "operationContextParams":
        endpointParams[name] = instruction.get(commandInput);
        break;
      default:
        throw new Error("Unrecognized endpoint parameter instruction: " + JSON.stringify(instruction));
    }
  }
  if (Object.keys(instructions).length === 0) {
    Object.assign(endpointParams, clientConfig);
  }
  if (String(clientConfig.serviceId).toLowerCase() === "s3") {
    await resolveParamsForS3(endpointParams);
  }
  return endpointParams;
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/endpointMiddleware.js
function setFeature2(context, feature, value) {
  if (!context.__smithy_context) {
    context.__smithy_context = { features: {} };
  } else if (!context.__smithy_context.features) {
    context.__smithy_context.features = {};
  }
  context.__smithy_context.features[feature] = value;
}
function bindEndpointMiddleware(getEndpointFromConfig2) {
  const getEndpointFromInstructions2 = bindGetEndpointFromInstructions(getEndpointFromConfig2);
  return ({ config, instructions }) => {
    return (next, context) => async (args) => {
      if (config.isCustomEndpoint) {
        setFeature2(context, "ENDPOINT_OVERRIDE", "N");
      }
      const endpoint = await getEndpointFromInstructions2(args.input, {
        getEndpointParameterInstructions() {
          return instructions;
        }
      }, { ...config }, context);
      context.endpointV2 = endpoint;
      context.authSchemes = endpoint.properties?.authSchemes;
      const authScheme = context.authSchemes?.[0];
      if (authScheme) {
        context["signing_region"] = authScheme.signingRegion;
        context["signing_service"] = authScheme.signingName;
        const smithyContext = getSmithyContext(context);
        const httpAuthOption = smithyContext?.selectedHttpAuthScheme?.httpAuthOption;
        if (httpAuthOption) {
          httpAuthOption.signingProperties = Object.assign(httpAuthOption.signingProperties || {}, {
            signing_region: authScheme.signingRegion,
            signingRegion: authScheme.signingRegion,
            signing_service: authScheme.signingName,
            signingName: authScheme.signingName,
            signingRegionSet: authScheme.signingRegionSet
          }, authScheme.properties);
        }
      }
      return next({
        ...args
      });
    };
  };
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/getEndpointPlugin.js
var serializerMiddlewareOption2 = {
  name: "serializerMiddleware",
  step: "serialize",
  tags: ["SERIALIZER"],
  override: true
};
var endpointMiddlewareOptions = {
  step: "serialize",
  tags: ["ENDPOINT_PARAMETERS", "ENDPOINT_V2", "ENDPOINT"],
  name: "endpointV2Middleware",
  override: true,
  relation: "before",
  toMiddleware: serializerMiddlewareOption2.name
};
function bindGetEndpointPlugin(getEndpointFromConfig2) {
  const endpointMiddleware2 = bindEndpointMiddleware(getEndpointFromConfig2);
  return (config, instructions) => ({
    applyToStack: (clientStack) => {
      clientStack.addRelativeTo(endpointMiddleware2({
        config,
        instructions
      }), endpointMiddlewareOptions);
    }
  });
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/resolveEndpointConfig.js
function bindResolveEndpointConfig(getEndpointFromConfig2) {
  return (input) => {
    const tls = input.tls ?? true;
    const { endpoint, useDualstackEndpoint, useFipsEndpoint } = input;
    const customEndpointProvider = endpoint != null ? async () => toEndpointV1(await normalizeProvider(endpoint)()) : void 0;
    const isCustomEndpoint = !!endpoint;
    const resolvedConfig = Object.assign(input, {
      endpoint: customEndpointProvider,
      tls,
      isCustomEndpoint,
      useDualstackEndpoint: normalizeProvider(useDualstackEndpoint ?? false),
      useFipsEndpoint: normalizeProvider(useFipsEndpoint ?? false),
      ignoreConfiguredEndpointUrls: !!input.ignoreConfiguredEndpointUrls
    });
    let configuredEndpointPromise = void 0;
    resolvedConfig.serviceConfiguredEndpoint = async () => {
      if (input.serviceId && !configuredEndpointPromise) {
        configuredEndpointPromise = getEndpointFromConfig2(input.serviceId);
      }
      return configuredEndpointPromise;
    };
    return resolvedConfig;
  };
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/bdd/BinaryDecisionDiagram.js
var BinaryDecisionDiagram = class _BinaryDecisionDiagram {
  nodes;
  root;
  conditions;
  results;
  constructor(bdd3, root3, conditions, results) {
    this.nodes = bdd3;
    this.root = root3;
    this.conditions = conditions;
    this.results = results;
  }
  static from(bdd3, root3, conditions, results) {
    return new _BinaryDecisionDiagram(bdd3, root3, conditions, results);
  }
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/cache/EndpointCache.js
var EndpointCache = class {
  capacity;
  data = /* @__PURE__ */ new Map();
  parameters = [];
  constructor({ size, params }) {
    this.capacity = size ?? 50;
    if (params) {
      this.parameters = params;
    }
  }
  get(endpointParams, resolver) {
    const key = this.hash(endpointParams);
    if (key === false) {
      return resolver();
    }
    if (!this.data.has(key)) {
      if (this.data.size > this.capacity + 10) {
        const keys = this.data.keys();
        let i3 = 0;
        while (true) {
          const { value, done } = keys.next();
          this.data.delete(value);
          if (done || ++i3 > 10) {
            break;
          }
        }
      }
      this.data.set(key, resolver());
    }
    return this.data.get(key);
  }
  size() {
    return this.data.size;
  }
  hash(endpointParams) {
    let buffer = "";
    const { parameters } = this;
    if (parameters.length === 0) {
      return false;
    }
    for (const param of parameters) {
      const raw = endpointParams[param];
      const val = raw == null ? "\0" : String(raw);
      if (val.includes("|;")) {
        return false;
      }
      buffer += val + "|;";
    }
    return buffer;
  }
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/types/EndpointError.js
var EndpointError = class extends Error {
  constructor(message) {
    super(message);
    this.name = "EndpointError";
  }
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/debug/debugId.js
var debugId = "endpoints";

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/debug/toDebugString.js
function toDebugString(input) {
  if (typeof input !== "object" || input == null) {
    return input;
  }
  if ("ref" in input) {
    return `$${toDebugString(input.ref)}`;
  }
  if ("fn" in input) {
    return `${input.fn}(${(input.argv || []).map(toDebugString).join(", ")})`;
  }
  return JSON.stringify(input, null, 2);
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/customEndpointFunctions.js
var customEndpointFunctions = {};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/booleanEquals.js
var booleanEquals = (value1, value2) => value1 === value2;

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/coalesce.js
function coalesce(...args) {
  for (const arg of args) {
    if (arg != null) {
      return arg;
    }
  }
  return void 0;
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/getAttrPathList.js
var getAttrPathList = (path) => {
  const parts = path.split(".");
  const pathList = [];
  for (const part of parts) {
    const squareBracketIndex = part.indexOf("[");
    if (squareBracketIndex !== -1) {
      if (part.indexOf("]") !== part.length - 1) {
        throw new EndpointError(`Path: '${path}' does not end with ']'`);
      }
      const arrayIndex = part.slice(squareBracketIndex + 1, -1);
      if (Number.isNaN(parseInt(arrayIndex))) {
        throw new EndpointError(`Invalid array index: '${arrayIndex}' in path: '${path}'`);
      }
      if (squareBracketIndex !== 0) {
        pathList.push(part.slice(0, squareBracketIndex));
      }
      pathList.push(arrayIndex);
    } else {
      pathList.push(part);
    }
  }
  return pathList;
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/getAttr.js
var getAttr = (value, path) => getAttrPathList(path).reduce((acc, index) => {
  if (typeof acc !== "object") {
    throw new EndpointError(`Index '${index}' in '${path}' not found in '${JSON.stringify(value)}'`);
  } else if (Array.isArray(acc)) {
    const i3 = parseInt(index);
    return acc[i3 < 0 ? acc.length + i3 : i3];
  }
  return acc[index];
}, value);

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/isSet.js
var isSet = (value) => value != null;

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/ite.js
function ite(condition, trueValue, falseValue) {
  return condition ? trueValue : falseValue;
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/not.js
var not = (value) => !value;

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/isIpAddress.js
var IP_V4_REGEX = new RegExp(`^(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]\\d|\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]\\d|\\d)){3}$`);
var isIpAddress = (value) => IP_V4_REGEX.test(value) || value.startsWith("[") && value.endsWith("]");

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/parseURL.js
var DEFAULT_PORTS = {
  [EndpointURLScheme.HTTP]: 80,
  [EndpointURLScheme.HTTPS]: 443
};
var parseURL = (value) => {
  const whatwgURL = (() => {
    try {
      if (value instanceof URL) {
        return value;
      }
      if (typeof value === "object" && "hostname" in value) {
        const { hostname: hostname2, port, protocol: protocol2 = "", path = "", query = {} } = value;
        const url = new URL(`${protocol2}//${hostname2}${port ? `:${port}` : ""}${path}`);
        url.search = Object.entries(query).map(([k3, v2]) => `${k3}=${v2}`).join("&");
        return url;
      }
      return new URL(value);
    } catch (ignored) {
      return null;
    }
  })();
  if (!whatwgURL) {
    console.error(`Unable to parse ${JSON.stringify(value)} as a whatwg URL.`);
    return null;
  }
  const urlString = whatwgURL.href;
  const { host, hostname, pathname, protocol, search } = whatwgURL;
  if (search) {
    return null;
  }
  const scheme = protocol.slice(0, -1);
  if (!Object.values(EndpointURLScheme).includes(scheme)) {
    return null;
  }
  const isIp = isIpAddress(hostname);
  const inputContainsDefaultPort = urlString.includes(`${host}:${DEFAULT_PORTS[scheme]}`) || typeof value === "string" && value.includes(`${host}:${DEFAULT_PORTS[scheme]}`);
  const authority = `${host}${inputContainsDefaultPort ? `:${DEFAULT_PORTS[scheme]}` : ``}`;
  return {
    scheme,
    authority,
    path: pathname,
    normalizedPath: pathname.endsWith("/") ? pathname : `${pathname}/`,
    isIp
  };
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/split.js
function split(value, delimiter, limit) {
  if (limit === 1) {
    return [value];
  }
  if (value === "") {
    return [""];
  }
  const parts = value.split(delimiter);
  if (limit === 0) {
    return parts;
  }
  return parts.slice(0, limit - 1).concat(parts.slice(1).join(delimiter));
}

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/stringEquals.js
var stringEquals = (value1, value2) => value1 === value2;

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/substring.js
var substring = (input, start, stop, reverse) => {
  if (input == null || start >= stop || input.length < stop || /[^\u0000-\u007f]/.test(input)) {
    return null;
  }
  if (!reverse) {
    return input.substring(start, stop);
  }
  return input.substring(input.length - stop, input.length - start);
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/lib/uriEncode.js
var uriEncode = (value) => encodeURIComponent(value).replace(/[!*'()]/g, (c3) => `%${c3.charCodeAt(0).toString(16).toUpperCase()}`);

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/endpointFunctions.js
var endpointFunctions = {
  booleanEquals,
  coalesce,
  getAttr,
  isSet,
  isValidHostLabel,
  ite,
  not,
  parseURL,
  split,
  stringEquals,
  substring,
  uriEncode
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/evaluateTemplate.js
var evaluateTemplate = (template, options) => {
  const evaluatedTemplateArr = [];
  const { referenceRecord, endpointParams } = options;
  let currentIndex = 0;
  while (currentIndex < template.length) {
    const openingBraceIndex = template.indexOf("{", currentIndex);
    if (openingBraceIndex === -1) {
      evaluatedTemplateArr.push(template.slice(currentIndex));
      break;
    }
    evaluatedTemplateArr.push(template.slice(currentIndex, openingBraceIndex));
    const closingBraceIndex = template.indexOf("}", openingBraceIndex);
    if (closingBraceIndex === -1) {
      evaluatedTemplateArr.push(template.slice(openingBraceIndex));
      break;
    }
    if (template[openingBraceIndex + 1] === "{" && template[closingBraceIndex + 1] === "}") {
      evaluatedTemplateArr.push(template.slice(openingBraceIndex + 1, closingBraceIndex));
      currentIndex = closingBraceIndex + 2;
    }
    const parameterName = template.substring(openingBraceIndex + 1, closingBraceIndex);
    if (parameterName.includes("#")) {
      const [refName, attrName] = parameterName.split("#");
      evaluatedTemplateArr.push(getAttr(referenceRecord[refName] ?? endpointParams[refName], attrName));
    } else {
      evaluatedTemplateArr.push(referenceRecord[parameterName] ?? endpointParams[parameterName]);
    }
    currentIndex = closingBraceIndex + 1;
  }
  return evaluatedTemplateArr.join("");
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/getReferenceValue.js
var getReferenceValue = ({ ref }, options) => {
  return options.referenceRecord[ref] ?? options.endpointParams[ref];
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/evaluateExpression.js
var evaluateExpression = (obj, keyName, options) => {
  if (typeof obj === "string") {
    return evaluateTemplate(obj, options);
  } else if (obj["fn"]) {
    return group.callFunction(obj, options);
  } else if (obj["ref"]) {
    return getReferenceValue(obj, options);
  }
  throw new EndpointError(`'${keyName}': ${String(obj)} is not a string, function or reference.`);
};
var callFunction = ({ fn, argv }, options) => {
  const evaluatedArgs = Array(argv.length);
  for (let i3 = 0; i3 < evaluatedArgs.length; ++i3) {
    const arg = argv[i3];
    if (typeof arg === "boolean" || typeof arg === "number") {
      evaluatedArgs[i3] = arg;
    } else {
      evaluatedArgs[i3] = group.evaluateExpression(arg, "arg", options);
    }
  }
  const namespaceSeparatorIndex = fn.indexOf(".");
  if (namespaceSeparatorIndex !== -1) {
    const namespaceFunctions = customEndpointFunctions[fn.slice(0, namespaceSeparatorIndex)];
    const customFunction = namespaceFunctions?.[fn.slice(namespaceSeparatorIndex + 1)];
    if (typeof customFunction === "function") {
      return customFunction(...evaluatedArgs);
    }
  }
  const callable = endpointFunctions[fn];
  if (typeof callable === "function") {
    return callable(...evaluatedArgs);
  }
  throw new Error(`function ${fn} not loaded in endpointFunctions.`);
};
var group = {
  evaluateExpression,
  callFunction
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/evaluateCondition.js
var evaluateCondition = (condition, options) => {
  const { assign } = condition;
  if (assign && assign in options.referenceRecord) {
    throw new EndpointError(`'${assign}' is already defined in Reference Record.`);
  }
  const value = callFunction(condition, options);
  options.logger?.debug?.(`${debugId} evaluateCondition: ${toDebugString(condition)} = ${toDebugString(value)}`);
  const result = value === "" ? true : !!value;
  if (assign != null) {
    return { result, toAssign: { name: assign, value } };
  }
  return { result };
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/getEndpointHeaders.js
var getEndpointHeaders = (headers, options) => Object.entries(headers ?? {}).reduce((acc, [headerKey, headerVal]) => {
  acc[headerKey] = headerVal.map((headerValEntry) => {
    const processedExpr = evaluateExpression(headerValEntry, "Header value entry", options);
    if (typeof processedExpr !== "string") {
      throw new EndpointError(`Header '${headerKey}' value '${processedExpr}' is not a string`);
    }
    return processedExpr;
  });
  return acc;
}, {});

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/getEndpointProperties.js
var getEndpointProperties = (properties, options) => Object.entries(properties).reduce((acc, [propertyKey, propertyVal]) => {
  acc[propertyKey] = group2.getEndpointProperty(propertyVal, options);
  return acc;
}, {});
var getEndpointProperty = (property, options) => {
  if (Array.isArray(property)) {
    return property.map((propertyEntry) => getEndpointProperty(propertyEntry, options));
  }
  switch (typeof property) {
    case "string":
      return evaluateTemplate(property, options);
    case "object":
      if (property === null) {
        throw new EndpointError(`Unexpected endpoint property: ${property}`);
      }
      return group2.getEndpointProperties(property, options);
    case "boolean":
      return property;
    default:
      throw new EndpointError(`Unexpected endpoint property type: ${typeof property}`);
  }
};
var group2 = {
  getEndpointProperty,
  getEndpointProperties
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/utils/getEndpointUrl.js
var getEndpointUrl = (endpointUrl, options) => {
  const expression = evaluateExpression(endpointUrl, "Endpoint URL", options);
  if (typeof expression === "string") {
    try {
      return new URL(expression);
    } catch (error) {
      console.error(`Failed to construct URL with ${expression}`, error);
      throw error;
    }
  }
  throw new EndpointError(`Endpoint URL must be a string, got ${typeof expression}`);
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/util-endpoints/decideEndpoint.js
var RESULT = 1e8;
var decideEndpoint = (bdd3, options) => {
  const { nodes: nodes3, root: root3, results, conditions } = bdd3;
  let ref = root3;
  const referenceRecord = {};
  const closure = {
    referenceRecord,
    endpointParams: options.endpointParams,
    logger: options.logger
  };
  while (ref !== 1 && ref !== -1 && ref < RESULT) {
    const node_i = 3 * (Math.abs(ref) - 1);
    const [condition_i, highRef, lowRef] = [nodes3[node_i], nodes3[node_i + 1], nodes3[node_i + 2]];
    const [fn, argv, assign] = conditions[condition_i];
    const evaluation = evaluateCondition({ fn, assign, argv }, closure);
    if (evaluation.toAssign) {
      const { name, value } = evaluation.toAssign;
      referenceRecord[name] = value;
    }
    ref = ref >= 0 === evaluation.result ? highRef : lowRef;
  }
  if (ref >= RESULT) {
    const result = results[ref - RESULT];
    if (result[0] === -1) {
      const [, errorExpression] = result;
      throw new EndpointError(evaluateExpression(errorExpression, "Error", closure));
    }
    const [url, properties, headers] = result;
    return {
      url: getEndpointUrl(url, closure),
      properties: getEndpointProperties(properties, closure),
      headers: getEndpointHeaders(headers ?? {}, closure)
    };
  }
  throw new EndpointError(`No matching endpoint.`);
};

// node_modules/@smithy/core/dist-es/submodules/endpoints/index.js
var getEndpointFromInstructions = bindGetEndpointFromInstructions(getEndpointFromConfig);
var resolveEndpointConfig = bindResolveEndpointConfig(getEndpointFromConfig);
var endpointMiddleware = bindEndpointMiddleware(getEndpointFromConfig);
var getEndpointPlugin = bindGetEndpointPlugin(getEndpointFromConfig);

// node_modules/@smithy/core/dist-es/submodules/serde/util-stream/stream-type-check.js
var isReadableStream = (stream) => typeof ReadableStream === "function" && (stream?.constructor?.name === ReadableStream.name || stream instanceof ReadableStream);
var isBlob = (blob) => {
  return typeof Blob === "function" && (blob?.constructor?.name === Blob.name || blob instanceof Blob);
};

// node_modules/@smithy/core/dist-es/submodules/serde/util-stream/stream-collector.browser.js
async function collectBlob(blob) {
  return blob.arrayBuffer().then((ab) => new Uint8Array(ab));
}
async function collectReadableStream(stream) {
  const chunks = [];
  const reader = stream.getReader();
  let length = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (value) {
      chunks.push(value);
      length += value.length;
    }
    if (done) {
      break;
    }
  }
  return concatBytes(chunks, length);
}

// node_modules/@smithy/core/dist-es/submodules/serde/util-stream/stream-collector.js
var import_node_stream = require("node:stream");
var streamCollector = (stream) => {
  if (isBlob(stream)) {
    return collectBlob(stream);
  }
  if (isReadableStream(stream)) {
    return collectReadableStream(stream);
  }
  return new Promise((resolve, reject) => {
    const collector = new Collector();
    const nodeStream = stream;
    nodeStream.pipe(collector);
    nodeStream.on("error", (err2) => {
      collector.end();
      reject(err2);
    });
    collector.on("error", reject);
    collector.on("finish", function() {
      const bytes = concatBytes(this.bufferedBytes);
      resolve(bytes);
    });
  });
};
var Collector = class extends import_node_stream.Writable {
  bufferedBytes = [];
  _write(chunk, encoding, callback) {
    this.bufferedBytes.push(chunk);
    callback();
  }
};

// node_modules/@smithy/core/dist-es/submodules/serde/writeKey.js
function writeKey(obj) {
  Object.defineProperty(obj, "__proto__", { value: void 0, writable: true, enumerable: true, configurable: true });
}

// node_modules/@smithy/core/dist-es/submodules/serde/index.js
var Uint8ArrayBlobAdapter = class extends bindUint8ArrayBlobAdapter(toUtf8, fromUtf8, toBase64, fromBase64) {
};
var _getRandomValues = import_node_crypto.getRandomValues;
var v4 = bindV4(_getRandomValues);
var generateIdempotencyToken = v4;

// node_modules/@smithy/core/dist-es/submodules/protocols/collect-stream-body.js
var collectBody = async (streamBody = new Uint8Array(), context) => {
  if (streamBody instanceof Uint8Array) {
    return Uint8ArrayBlobAdapter.mutate(streamBody);
  }
  if (!streamBody) {
    return Uint8ArrayBlobAdapter.mutate(new Uint8Array());
  }
  const fromContext = context.streamCollector(streamBody);
  return Uint8ArrayBlobAdapter.mutate(await fromContext);
};

// node_modules/@smithy/core/dist-es/submodules/protocols/HttpBindingNormalizedSchema.js
var HTTP_BINDINGS = /* @__PURE__ */ Symbol.for("@smithy/schema-x");
var HttpBindingNormalizedSchema = class _HttpBindingNormalizedSchema extends NormalizedSchema {
  static identity = /* @__PURE__ */ Symbol.for("@smithy/HttpBindingNormalizedSchema");
  identity = _HttpBindingNormalizedSchema.identity;
  bindings;
  constructor(schema) {
    super(schema);
  }
  static of(schema) {
    const ns = NormalizedSchema.of(schema);
    if (ns.identity === _HttpBindingNormalizedSchema.identity) {
      return ns;
    }
    const schemaCache = ns.isMemberSchema() ? ns : ns.getSchema();
    const cache3 = typeof schemaCache === "object" && schemaCache !== null ? schemaCache : ns;
    return cache3[HTTP_BINDINGS] ??= new _HttpBindingNormalizedSchema(ns);
  }
  getHttpBindingLocation(traits) {
    if (traits.httpPayload) {
      return 36;
    }
    if (traits.httpLabel) {
      return 33;
    }
    if (traits.httpHeader) {
      return 38;
    }
    if (typeof traits.httpPrefixHeaders === "string") {
      return 39;
    }
    if (traits.httpQuery) {
      return 34;
    }
    if (traits.httpQueryParams) {
      return 35;
    }
    if (traits.httpResponseCode) {
      return 37;
    }
    return 32;
  }
  getHttpBindingValue(location, traits, nested = false) {
    const raw = this.getSchema();
    const type = typeof raw === "number" ? raw & 255 : this.isListSchema() ? 64 : 255;
    const slot = location & 7;
    const media = traits.mediaType ? traits.mediaType === "application/json" || traits.mediaType.endsWith("+json") ? 2 : 1 : 0;
    const stream = traits.streaming || type === 42 ? this.isStructSchema() ? 2 : 1 : 0;
    const timestamp = type >= 4 && type <= 7 ? slot >= 6 ? 2 : slot > 0 && slot < 4 ? 1 : 0 : 0;
    let flags = type | media << 8 | (traits.idempotencyToken ? 1 : 0) << 10 | stream << 11 | (traits.sparse ? 1 : 0) << 13 | timestamp << 14 | (traits.hostLabel ? 1 : 0) << 17 | (location === 36 && typeof raw !== "object" ? 1 : 0) << 18;
    const category = type & 192;
    const collectionValue = slot & 2 && (category === 64 || !nested && slot & 1) ? this.getHttpBindingCollectionValue(location, traits) : void 0;
    const valueType = (collectionValue?.[1] ?? 0) & 255;
    flags |= (slot >= 6 && (valueType === 4 || valueType === 6) ? 1 : 0) << 16;
    return [this, flags, collectionValue];
  }
  getHttpBindingCollectionValue(location, traits = this.getMergedTraits()) {
    const valueSchema = _HttpBindingNormalizedSchema.of(this.getValueSchema());
    return valueSchema.getHttpBindingValue(location, { ...valueSchema.getMergedTraits(), ...traits }, true);
  }
  getHttpBindings() {
    const source = this.getSchema();
    return typeof source !== "object" || source === null ? EMPTY_BINDINGS : this.bindings ??= buildHttpBindings(this);
  }
};
var buildHttpBindings = (schema) => {
  const bodyMemberNames = [];
  const bodyMemberSchemas = [];
  const requestBodyMemberNames = [];
  const requestBodyMemberSchemas = [];
  const memberBindings = [];
  const byName = {};
  const headers = {};
  const prefixHeaders = [];
  const responseBindings = { headers, prefixHeaders };
  const bindings = {
    request: { memberBindings, byName },
    response: {
      bodyMemberNames,
      bindings: responseBindings
    }
  };
  const { request, response } = bindings;
  for (const [name, member2] of schema.structIterator()) {
    const bindingSchema = HttpBindingNormalizedSchema.of(member2);
    const traits = bindingSchema.getMergedTraits();
    const location = bindingSchema.getHttpBindingLocation(traits);
    const wireName = traits.httpHeader?.toLowerCase() ?? traits.httpPrefixHeaders?.toLowerCase() ?? traits.httpQuery;
    const value = bindingSchema.getHttpBindingValue(location, traits);
    const binding = [name, value, location, wireName];
    if (name === "__proto__") {
      writeKey(byName);
    }
    byName[name] = binding;
    if (value[1] >> 10 & 1) {
      request.hasIdempotency = true;
    }
    memberBindings.push(binding);
    const slot = location & 7;
    if (slot === 0) {
      requestBodyMemberNames.push(name);
      requestBodyMemberSchemas.push(member2);
    }
    if ((slot & 4) === 0) {
      bodyMemberNames.push(name);
      bodyMemberSchemas.push(member2);
    } else if ((slot & 6) === 4) {
      if (slot & 1) {
        responseBindings.statusCode = binding;
      } else {
        responseBindings.payload = binding;
        const type = value[1] & 255;
        request.contentTypeInstruction = traits.mediaType ?? (type === 0 ? "text/plain" : type === 21 || type === 42 ? "application/octet-stream" : null);
      }
    } else if (slot & 1) {
      request.hasPrefixHeaders = true;
      prefixHeaders.push(binding);
    } else {
      if (wireName === "__proto__") {
        writeKey(headers);
      }
      headers[wireName] = binding;
    }
  }
  if (request.contentTypeInstruction === void 0 && requestBodyMemberNames.length) {
    request.contentTypeInstruction = null;
  }
  request.syntheticBodySchema = createBodySchema(schema, requestBodyMemberNames, requestBodyMemberSchemas);
  response.syntheticBodySchema = createBodySchema(schema, bodyMemberNames, bodyMemberSchemas);
  return bindings;
};
var buildPathSegments = (path) => {
  const segments = [];
  let offset = 0;
  for (const match of path.matchAll(/\{([^{}+]+)(\+)?\}/g)) {
    if (match.index > offset) {
      segments.push([path.slice(offset, match.index), 0]);
    }
    segments.push([match[1], match[2] ? 2 : 1]);
    offset = match.index + match[0].length;
  }
  if (segments.length && offset < path.length) {
    segments.push([path.slice(offset), 0]);
  }
  return segments.length ? segments : void 0;
};
var buildHttpOperationBindings = (schema) => {
  const { http, endpoint } = translateTraits(schema.traits ?? {});
  const [path, search] = http?.[1].split("?") ?? [];
  return [
    http?.[0],
    path,
    search ? [...new URLSearchParams(search)] : [],
    path ? buildPathSegments(path) : void 0,
    endpoint?.[0]
  ];
};
var EMPTY_BINDINGS = {
  request: { memberBindings: [], byName: {} },
  response: {
    bodyMemberNames: [],
    bindings: { headers: {}, prefixHeaders: [] }
  }
};
var getHttpOperationBindings = (schema) => schema[HTTP_BINDINGS] ??= buildHttpOperationBindings(schema);
var createBodySchema = (schema, memberNames, memberSchemas) => {
  if (!memberNames.length) {
    return void 0;
  }
  const source = schema.getSchema();
  const body = [
    3,
    source[1],
    source[2],
    schema.getMergedTraits(),
    memberNames,
    memberSchemas
  ];
  const required = source[6];
  const bodyRequired = required && memberNames.reduce((count, name) => count + (source[4].indexOf(name) < required ? 1 : 0), 0);
  if (bodyRequired) {
    body[6] = bodyRequired;
  }
  return body;
};

// node_modules/@smithy/core/dist-es/submodules/protocols/SerdeContext.js
var SerdeContext = class {
  serdeContext;
  setSerdeContext(serdeContext) {
    this.serdeContext = serdeContext;
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/HttpProtocol.js
var HttpProtocol = class extends SerdeContext {
  options;
  compositeErrorRegistry;
  constructor(options) {
    super();
    this.options = options;
    this.compositeErrorRegistry = new TypeRegistry(options.defaultNamespace);
    for (const etr of options.errorTypeRegistries ?? []) {
      this.compositeErrorRegistry.copyFrom(etr);
    }
  }
  getRequestType() {
    return HttpRequest;
  }
  getResponseType() {
    return HttpResponse;
  }
  setSerdeContext(serdeContext) {
    this.serdeContext = serdeContext;
    this.serializer.setSerdeContext(serdeContext);
    this.deserializer.setSerdeContext(serdeContext);
    if (this.getPayloadCodec()) {
      this.getPayloadCodec().setSerdeContext(serdeContext);
    }
  }
  updateServiceEndpoint(request, endpoint) {
    if ("url" in endpoint) {
      request.protocol = endpoint.url.protocol;
      request.hostname = endpoint.url.hostname;
      request.port = endpoint.url.port ? Number(endpoint.url.port) : void 0;
      request.path = endpoint.url.pathname;
      request.fragment = endpoint.url.hash || void 0;
      request.username = endpoint.url.username || void 0;
      request.password = endpoint.url.password || void 0;
      if (!request.query) {
        request.query = {};
      }
      for (const [k3, v2] of endpoint.url.searchParams.entries()) {
        request.query[k3] = v2;
      }
      if (endpoint.headers) {
        for (const name in endpoint.headers) {
          if (!hasOwn(endpoint.headers, name)) {
            continue;
          }
          request.headers[name] = endpoint.headers[name].join(", ");
        }
      }
      return request;
    } else {
      request.protocol = endpoint.protocol;
      request.hostname = endpoint.hostname;
      request.port = endpoint.port ? Number(endpoint.port) : void 0;
      request.path = endpoint.path;
      request.query = {
        ...endpoint.query
      };
      if (endpoint.headers) {
        for (const name in endpoint.headers) {
          if (!hasOwn(endpoint.headers, name)) {
            continue;
          }
          request.headers[name] = endpoint.headers[name];
        }
      }
      return request;
    }
  }
  setHostPrefix(request, operationSchema, input, operation2 = getHttpOperationBindings(operationSchema)) {
    if (this.serdeContext?.disableHostPrefix) {
      return;
    }
    const hostPrefix = operation2[4];
    if (typeof hostPrefix !== "string") {
      return;
    }
    let resolvedHostPrefix = hostPrefix;
    for (const [name, [, flags]] of HttpBindingNormalizedSchema.of(operationSchema.input).getHttpBindings().request.memberBindings) {
      if (!(flags >> 17 & 1)) {
        continue;
      }
      const replacement = input[name];
      if (typeof replacement !== "string") {
        throw new Error(`@smithy/core/schema - ${name} in input must be a string as hostLabel.`);
      }
      resolvedHostPrefix = resolvedHostPrefix.replace(`{${name}}`, replacement);
    }
    request.hostname = resolvedHostPrefix + request.hostname;
    if (!isValidHostname(request.hostname)) {
      throw new Error(`[${request.hostname}] is not a valid hostname.`);
    }
  }
  deserializeMetadata(output) {
    return {
      httpStatusCode: output.statusCode,
      requestId: output.headers["x-amzn-requestid"] ?? output.headers["x-amzn-request-id"] ?? output.headers["x-amz-request-id"],
      extendedRequestId: output.headers["x-amz-id-2"],
      cfId: output.headers["x-amz-cf-id"]
    };
  }
  resolveError(name, namespaces, registries) {
    const defaultErrorSchema = [-3, "", "Error", 0, [], [], 0];
    let schema;
    for (const registry of registries) {
      for (const ns of namespaces) {
        try {
          if (ns === "*") {
            schema = registry.getSchema(name);
          } else {
            schema = registry.getSchema(ns + "#" + name);
          }
          const errorCtor = registry.getErrorCtor(schema);
          if (errorCtor) {
            return [schema, errorCtor, "modeled"];
          } else {
            const syntheticErrorSchema = registry.getBaseException();
            if (syntheticErrorSchema) {
              const syntheticErrorCtor = registry.getErrorCtor(syntheticErrorSchema);
              if (syntheticErrorCtor) {
                return [schema, syntheticErrorCtor, "synthetic"];
              }
            }
          }
        } catch (ignored) {
        }
      }
    }
    for (const registry of registries) {
      const syntheticErrorSchema = registry.getBaseException();
      if (syntheticErrorSchema) {
        const syntheticErrorCtor = registry.getErrorCtor(syntheticErrorSchema);
        if (syntheticErrorCtor) {
          return [syntheticErrorSchema, syntheticErrorCtor, "synthetic"];
        }
      }
    }
    return [defaultErrorSchema, Error, "native"];
  }
  async serializeEventStream({ eventStream, requestSchema, initialRequest }) {
    const eventStreamSerde = await this.loadEventStreamCapability();
    return eventStreamSerde.serializeEventStream({
      eventStream,
      requestSchema,
      initialRequest
    });
  }
  async deserializeEventStream({ response, responseSchema, initialResponseContainer }) {
    const eventStreamSerde = await this.loadEventStreamCapability();
    return eventStreamSerde.deserializeEventStream({
      response,
      responseSchema,
      initialResponseContainer
    });
  }
  async loadEventStreamCapability() {
    const { EventStreamSerde, eventStreamSerdeProvider } = await Promise.resolve().then(() => (init_event_streams(), event_streams_exports));
    const marshaller = this.resolveEventStreamMarshaller(eventStreamSerdeProvider);
    return new EventStreamSerde({
      marshaller,
      serializer: this.serializer,
      deserializer: this.deserializer,
      serdeContext: this.serdeContext,
      defaultContentType: this.getDefaultContentType(),
      compositeErrorRegistry: this.compositeErrorRegistry
    });
  }
  getDefaultContentType() {
    throw new Error(`@smithy/core/protocols - ${this.constructor.name} getDefaultContentType() implementation missing.`);
  }
  async deserializeHttpMessage(schema, context, response, arg4, arg5) {
    void schema;
    void context;
    void response;
    void arg4;
    void arg5;
    return [];
  }
  getEventStreamMarshaller() {
    const context = this.serdeContext;
    if (!context.eventStreamMarshaller) {
      throw new Error("@smithy/core - HttpProtocol: eventStreamMarshaller missing in serdeContext.");
    }
    return context.eventStreamMarshaller;
  }
  resolveEventStreamMarshaller(importedProvider) {
    const context = this.serdeContext;
    if (context.eventStreamMarshaller) {
      return context.eventStreamMarshaller;
    }
    return importedProvider(this.serdeContext);
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/RpcProtocol.js
var RpcProtocol = class extends HttpProtocol {
  async serializeRequest(operationSchema, _input, context) {
    const serializer = this.serializer;
    const query = {};
    const headers = {};
    const endpoint = await context.endpoint();
    const ns = NormalizedSchema.of(operationSchema?.input);
    const schema = ns.getSchema();
    let payload;
    const input = _input && typeof _input === "object" ? _input : {};
    const request = new HttpRequest({
      protocol: "",
      hostname: "",
      port: void 0,
      path: "/",
      fragment: void 0,
      query,
      headers,
      body: void 0
    });
    if (endpoint) {
      this.updateServiceEndpoint(request, endpoint);
      this.setHostPrefix(request, operationSchema, input);
    }
    if (input) {
      const eventStreamMember = ns.getEventStreamMember();
      if (eventStreamMember) {
        if (input[eventStreamMember]) {
          const initialRequest = {};
          for (const [memberName] of ns.structIterator()) {
            if (memberName !== eventStreamMember && input[memberName] != null) {
              initialRequest[memberName] = input[memberName];
            }
          }
          payload = await this.serializeEventStream({
            eventStream: input[eventStreamMember],
            requestSchema: ns,
            initialRequest
          });
        }
      } else {
        serializer.write(schema, input);
        payload = serializer.flush();
      }
    }
    request.headers = Object.assign(request.headers, headers);
    request.query = query;
    request.body = payload;
    request.method = "POST";
    return request;
  }
  async deserializeResponse(operationSchema, context, response) {
    const deserializer = this.deserializer;
    const ns = NormalizedSchema.of(operationSchema.output);
    const dataObject = {};
    if (this.isErrorResponse(response.statusCode)) {
      const bytes = await collectBody(response.body, context);
      if (bytes.byteLength > 0) {
        Object.assign(dataObject, await deserializer.read(15, bytes));
      }
      await this.handleError(operationSchema, context, response, dataObject, this.deserializeMetadata(response));
      throw new Error("@smithy/core/protocols - RPC Protocol error handler failed to throw.");
    }
    for (const header in response.headers) {
      if (!hasOwn(response.headers, header)) {
        continue;
      }
      const value = response.headers[header];
      delete response.headers[header];
      response.headers[header.toLowerCase()] = value;
    }
    const eventStreamMember = ns.getEventStreamMember();
    if (eventStreamMember) {
      dataObject[eventStreamMember] = await this.deserializeEventStream({
        response,
        responseSchema: ns,
        initialResponseContainer: dataObject
      });
    } else {
      const bytes = await collectBody(response.body, context);
      if (bytes.byteLength > 0) {
        Object.assign(dataObject, await deserializer.read(ns, bytes));
      }
    }
    dataObject.$metadata = this.deserializeMetadata(response);
    return dataObject;
  }
  isErrorResponse(statusCode) {
    return statusCode >= 300;
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/serde/determineTimestampFormat.js
function determineTimestampFormat(ns, settings) {
  if (settings.timestampFormat.useTrait) {
    const schema = ns.getSchema();
    if (schema === 5 || schema === 6 || schema === 7) {
      return schema;
    }
  }
  const { httpLabel, httpPrefixHeaders, httpHeader, httpQuery } = ns.getMergedTraits();
  const bindingFormat = settings.httpBindings ? typeof httpPrefixHeaders === "string" || Boolean(httpHeader) ? 6 : Boolean(httpQuery) || Boolean(httpLabel) ? 5 : void 0 : void 0;
  return bindingFormat ?? settings.timestampFormat.default;
}

// node_modules/@smithy/core/dist-es/submodules/protocols/protocol-http/extensions/httpExtensionConfiguration.js
var getHttpHandlerExtensionConfiguration = (runtimeConfig) => {
  if (runtimeConfig.logger && runtimeConfig.logger.constructor?.name !== "NoOpLogger") {
    runtimeConfig.requestHandler?.updateHttpClientConfig?.(/* @__PURE__ */ Symbol.for("logger"), runtimeConfig.logger);
  }
  if (runtimeConfig.defaultSocketTimeout) {
    runtimeConfig.requestHandler?.updateHttpClientConfig?.(/* @__PURE__ */ Symbol.for("@smithy/defaultSocketTimeout"), runtimeConfig.defaultSocketTimeout);
  }
  return {
    setHttpHandler(handler) {
      runtimeConfig.requestHandler = handler;
    },
    httpHandler() {
      return runtimeConfig.requestHandler;
    },
    updateHttpClientConfig(key, value) {
      runtimeConfig.requestHandler?.updateHttpClientConfig(key, value);
    },
    httpHandlerConfigs() {
      return runtimeConfig.requestHandler.httpHandlerConfigs();
    }
  };
};
var resolveHttpHandlerRuntimeConfig = (httpHandlerExtensionConfiguration) => {
  return {
    requestHandler: httpHandlerExtensionConfiguration.httpHandler()
  };
};

// node_modules/@smithy/core/dist-es/submodules/protocols/middleware-content-length/contentLengthMiddleware.js
var CONTENT_LENGTH_HEADER = "content-length";
function contentLengthMiddleware(bodyLengthChecker) {
  return (next) => async (args) => {
    const request = args.request;
    if (HttpRequest.isInstance(request)) {
      const { body, headers } = request;
      if (body && Object.keys(headers).map((str) => str.toLowerCase()).indexOf(CONTENT_LENGTH_HEADER) === -1) {
        try {
          const length = bodyLengthChecker(body);
          if (length != null) {
            request.headers = {
              ...request.headers,
              [CONTENT_LENGTH_HEADER]: String(length)
            };
          }
        } catch (ignored) {
        }
      }
    }
    return next({
      ...args,
      request
    });
  };
}
var contentLengthMiddlewareOptions = {
  step: "build",
  tags: ["SET_CONTENT_LENGTH", "CONTENT_LENGTH"],
  name: "contentLengthMiddleware",
  override: true
};
var getContentLengthPlugin = (options) => ({
  applyToStack: (clientStack) => {
    clientStack.add(contentLengthMiddleware(options.bodyLengthChecker), contentLengthMiddlewareOptions);
  }
});

// node_modules/@smithy/core/dist-es/submodules/protocols/util-uri-escape/escape-uri.js
var escapeUri = (uri) => encodeURIComponent(uri).replace(/[!'()*]/g, hexEncode);
var hexEncode = (c3) => `%${c3.charCodeAt(0).toString(16).toUpperCase()}`;

// node_modules/@smithy/core/dist-es/submodules/protocols/querystring-builder/buildQueryString.js
function buildQueryString(query) {
  const parts = [];
  for (let key of Object.keys(query).sort()) {
    const value = query[key];
    key = escapeUri(key);
    if (Array.isArray(value)) {
      for (let i3 = 0, iLen = value.length; i3 < iLen; i3++) {
        parts.push(`${key}=${escapeUri(value[i3])}`);
      }
    } else {
      let qsEntry = key;
      if (value || typeof value === "string") {
        qsEntry += `=${escapeUri(value)}`;
      }
      parts.push(qsEntry);
    }
  }
  return parts.join("&");
}

// node_modules/@smithy/core/dist-es/submodules/protocols/ConfigurableSerdeContext.js
var SerdeContextConfig = class {
  serdeContext;
  setSerdeContext(serdeContext) {
    this.serdeContext = serdeContext;
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/UnionSerde.js
var UnionSerde = class {
  from;
  to;
  keys;
  constructor(from, to) {
    this.from = from;
    this.to = to;
    const keys = Object.keys(this.from);
    const set = new Set(keys);
    set.delete("__type");
    this.keys = set;
  }
  mark(key) {
    this.keys.delete(key);
  }
  hasUnknown() {
    return this.keys.size === 1 && Object.keys(this.to).length === 0;
  }
  writeUnknown() {
    if (this.hasUnknown()) {
      const k3 = this.keys.values().next().value;
      const v2 = this.from[k3];
      this.to.$unknown = [k3, v2];
    }
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/json/detectBufferParsing.js
var canParseBuffer;
function detectBufferParsing() {
  if (canParseBuffer === void 0) {
    try {
      if (typeof Buffer !== "function") {
        canParseBuffer = false;
      } else {
        const result = JSON.parse(Buffer.from([123, 125]));
        canParseBuffer = result !== null && typeof result === "object";
      }
    } catch {
      canParseBuffer = false;
    }
  }
  return canParseBuffer;
}

// node_modules/@smithy/core/dist-es/submodules/protocols/json/jsonReviver.js
function jsonReviver(key, value, context) {
  if (context?.source) {
    const numericString = context.source;
    if (typeof value === "number") {
      const inSafeRange = value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
      if (inSafeRange) {
        if (isRepresentable(numericString, value)) {
          return value;
        }
        return new NumericValue(numericString, "bigDecimal");
      } else {
        if (isFractionalBigNumeric(numericString)) {
          return new NumericValue(numericString, "bigDecimal");
        }
        if (/[eE]/.test(numericString)) {
          return expandExponentToBigInt(numericString);
        }
        return BigInt(numericString);
      }
    }
  }
  return value;
}
function isFractionalBigNumeric(s2) {
  const dotIndex = s2.indexOf(".");
  if (dotIndex === -1) {
    return false;
  }
  const eIndex = s2.search(/[eE]/);
  if (eIndex === -1) {
    return true;
  }
  const fracDigits = eIndex - dotIndex - 1;
  const exp = parseInt(s2.slice(eIndex + 1), 10);
  return exp < fracDigits;
}
function isRepresentable(numericString, value) {
  if (numericString === String(value)) {
    return true;
  }
  if (Object.is(value, -0)) {
    return true;
  }
  if (/[eE]/.test(numericString)) {
    return expandToDecimal(numericString) === expandToDecimal(String(value));
  }
  const normalized = numericString.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  const canonical = String(value);
  if (normalized === canonical) {
    return true;
  }
  if (/[eE]/.test(canonical)) {
    return normalized === expandToDecimal(canonical);
  }
  return false;
}
function expandToDecimal(s2) {
  const negative = s2.startsWith("-");
  const abs = negative ? s2.slice(1) : s2;
  const eIndex = abs.search(/[eE]/);
  let result;
  if (eIndex === -1) {
    result = abs;
  } else {
    const exp = parseInt(abs.slice(eIndex + 1), 10);
    const mantissa = abs.slice(0, eIndex);
    const dotIndex = mantissa.indexOf(".");
    let digits;
    let intLen;
    if (dotIndex === -1) {
      digits = mantissa;
      intLen = mantissa.length;
    } else {
      digits = mantissa.slice(0, dotIndex) + mantissa.slice(dotIndex + 1);
      intLen = dotIndex;
    }
    digits = digits.replace(/0+$/, "") || "0";
    const newDotPos = intLen + exp;
    if (digits === "0") {
      result = "0";
    } else if (newDotPos <= 0) {
      result = "0." + "0".repeat(-newDotPos) + digits;
    } else if (newDotPos >= digits.length) {
      result = digits + "0".repeat(newDotPos - digits.length);
    } else {
      result = digits.slice(0, newDotPos) + "." + digits.slice(newDotPos);
    }
  }
  if (result.includes(".")) {
    result = result.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  }
  return (negative ? "-" : "") + result;
}
function expandExponentToBigInt(s2) {
  const eIndex = s2.search(/[eE]/);
  const exp = parseInt(s2.slice(eIndex + 1), 10);
  const negative = s2.startsWith("-");
  const mantissa = s2.slice(negative ? 1 : 0, eIndex);
  const dotIndex = mantissa.indexOf(".");
  let digits;
  let shift;
  if (dotIndex === -1) {
    digits = mantissa;
    shift = exp;
  } else {
    digits = mantissa.slice(0, dotIndex) + mantissa.slice(dotIndex + 1);
    const fracDigits = mantissa.length - dotIndex - 1;
    shift = exp - fracDigits;
  }
  digits = digits.replace(/0+$/, "") || "0";
  const result = BigInt(digits) * 10n ** BigInt(shift + (mantissa.replace(".", "").length - digits.length));
  return negative ? -result : result;
}

// node_modules/@smithy/core/dist-es/submodules/protocols/json/needsReviver.js
var REVIVER_SYMBOL = /* @__PURE__ */ Symbol.for("@aws-sdk/reviver");
function needsReviver(schema) {
  const ns = NormalizedSchema.of(schema);
  const raw = ns.getSchema();
  if (Array.isArray(raw) && ns.isStructSchema()) {
    if (REVIVER_SYMBOL in raw) {
      return raw[REVIVER_SYMBOL];
    }
    const result = _check(ns, /* @__PURE__ */ new Set());
    raw[REVIVER_SYMBOL] = result;
    return result;
  }
  return _check(ns, /* @__PURE__ */ new Set());
}
function _check(ns, seen) {
  const raw = ns.getSchema();
  if (seen.has(raw)) {
    return false;
  }
  seen.add(raw);
  if (ns.isBigIntegerSchema() || ns.isBigDecimalSchema()) {
    return true;
  }
  if (ns.isStructSchema()) {
    for (const [, memberSchema] of ns.structIterator()) {
      if (_check(memberSchema, seen)) {
        return true;
      }
    }
  } else if (ns.isListSchema() || ns.isMapSchema()) {
    if (_check(ns.getValueSchema(), seen)) {
      return true;
    }
  } else if (ns.isDocumentSchema()) {
    return true;
  }
  return false;
}

// node_modules/@smithy/core/dist-es/submodules/protocols/common.js
var collectBodyString = (streamBody, context) => collectBody(streamBody, context).then((body) => (context?.utf8Encoder ?? toUtf8)(body));

// node_modules/@smithy/core/dist-es/submodules/protocols/json/parseJsonBody.js
async function parseJsonBody(streamBody, context, schema) {
  let parsingInput;
  if (detectBufferParsing() && typeof streamBody?.[Symbol.asyncIterator] === "function") {
    const buffer = await collectBody(streamBody, context);
    if (typeof Buffer === "function") {
      if (Buffer.isBuffer(buffer)) {
        parsingInput = buffer;
      } else {
        parsingInput = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      }
    }
  }
  if (!parsingInput) {
    parsingInput = await collectBodyString(streamBody, context);
  }
  if (parsingInput.length === 0) {
    return {};
  }
  const reviver = schema && needsReviver(schema) ? jsonReviver : void 0;
  try {
    return JSON.parse(parsingInput, reviver);
  } catch (e3) {
    if (e3?.name === "SyntaxError") {
      Object.defineProperty(e3, "$responseBodyText", {
        value: typeof parsingInput === "string" ? parsingInput : parsingInput.toString("utf8")
      });
    }
    throw e3;
  }
}
var findKey = (object2, key) => Object.keys(object2).find((k3) => k3.toLowerCase() === key.toLowerCase());
var sanitizeErrorCode = (rawValue) => {
  let cleanValue = rawValue;
  if (typeof cleanValue === "number") {
    cleanValue = cleanValue.toString();
  }
  if (cleanValue.indexOf(",") >= 0) {
    cleanValue = cleanValue.split(",")[0];
  }
  if (cleanValue.indexOf(":") >= 0) {
    cleanValue = cleanValue.split(":")[0];
  }
  if (cleanValue.indexOf("#") >= 0) {
    cleanValue = cleanValue.split("#")[1];
  }
  return cleanValue;
};
var loadJsonRpcErrorCode = (output, data, queryCompat = false) => {
  return loadErrorCode(output, data, queryCompat ? ["code", "header", "type"] : ["type", "code", "header"]);
};
var loadErrorCode = ({ headers }, data, order) => {
  while (order.length > 0) {
    const location = order.shift();
    switch (location) {
      case "header":
        const headerKey = findKey(headers ?? {}, "x-amzn-errortype");
        if (headerKey !== void 0) {
          return sanitizeErrorCode(headers[headerKey]);
        }
        break;
      case "code":
        const codeKey = findKey(data ?? {}, "code");
        if (codeKey && data[codeKey] !== void 0) {
          return sanitizeErrorCode(data[codeKey]);
        }
        break;
      case "type":
        if (data?.__type !== void 0) {
          return sanitizeErrorCode(data.__type);
        }
        break;
    }
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeDeserializer2.js
var JsonShapeDeserializer2 = class extends SerdeContextConfig {
  settings;
  constructor(settings) {
    super();
    this.settings = settings;
  }
  async read(schema, data) {
    const reviver = needsReviver(schema) ? jsonReviver : void 0;
    let parsed;
    if (typeof data === "string") {
      if (data.length === 0) {
        return {};
      }
      parsed = JSON.parse(data, reviver);
    } else if (data instanceof Uint8Array && detectBufferParsing()) {
      if (data.byteLength === 0) {
        return {};
      }
      const buf = Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      parsed = JSON.parse(buf, reviver);
    } else {
      parsed = await parseJsonBody(data, this.serdeContext, schema);
    }
    return this._read(schema, parsed);
  }
  readObject(schema, data) {
    return this._read(schema, data);
  }
  _read(schema, value) {
    const isObject = value !== null && typeof value === "object";
    const ns = NormalizedSchema.of(schema);
    if (isObject) {
      if (ns.isStructSchema()) {
        return this._readStruct(ns, value);
      }
      if (Array.isArray(value) && ns.isListSchema()) {
        const listMember = ns.getValueSchema();
        if (this.needsTransform(listMember)) {
          for (let i3 = 0; i3 < value.length; ++i3) {
            value[i3] = this._read(listMember, value[i3]);
          }
        }
        return value;
      }
      if (ns.isMapSchema()) {
        const mapMember = ns.getValueSchema();
        const map = value;
        if (this.needsTransform(mapMember)) {
          for (const k3 in map) {
            if (!hasOwn(map, k3)) {
              continue;
            }
            if (k3 === "__proto__") {
              writeKey(map);
            }
            map[k3] = this._read(mapMember, map[k3]);
          }
        }
        return map;
      }
    }
    if (ns.isBlobSchema() && typeof value === "string") {
      return fromBase64(value);
    }
    const mediaType = ns.getMergedTraits().mediaType;
    if (ns.isStringSchema() && typeof value === "string" && mediaType) {
      const isJson = mediaType === "application/json" || mediaType.endsWith("+json");
      if (isJson) {
        return LazyJsonString.from(value);
      }
      return value;
    }
    if (ns.isTimestampSchema() && value != null) {
      const format2 = determineTimestampFormat(ns, this.settings);
      switch (format2) {
        case 5:
          return unsupported(value);
        case 6:
          return unsupported(value);
        case 7:
          return parseEpochTimestamp(value);
        default:
          console.warn("Missing timestamp format, parsing value with Date constructor:", value);
          return new Date(value);
      }
    }
    if (ns.isBigIntegerSchema() && (typeof value === "number" || typeof value === "string")) {
      return BigInt(value);
    }
    if (ns.isBigDecimalSchema() && value != void 0) {
      if (value instanceof NumericValue) {
        return value;
      }
      const untyped = value;
      if (untyped.type === "bigDecimal" && "string" in untyped) {
        return new NumericValue(untyped.string, untyped.type);
      }
      return new NumericValue(String(value), "bigDecimal");
    }
    if (ns.isNumericSchema() && typeof value === "string") {
      switch (value) {
        case "Infinity":
          return Infinity;
        case "-Infinity":
          return -Infinity;
        case "NaN":
          return NaN;
      }
      return value;
    }
    if (ns.isDocumentSchema()) {
      if (isObject) {
        if (Array.isArray(value)) {
          for (let i3 = 0; i3 < value.length; ++i3) {
            const v2 = value[i3];
            if (!(v2 instanceof NumericValue)) {
              value[i3] = this._read(ns, v2);
            }
          }
        } else {
          const doc = value;
          for (const k3 in doc) {
            if (!hasOwn(doc, k3)) {
              continue;
            }
            if (k3 === "__proto__") {
              writeKey(doc);
            }
            const v2 = doc[k3];
            if (!(v2 instanceof NumericValue)) {
              doc[k3] = this._read(ns, v2);
            }
          }
        }
      }
    }
    return value;
  }
  _readStruct(ns, record) {
    const union2 = ns.isUnionSchema();
    const out = {};
    let nameMap;
    const hasType = typeof record.__type === "string";
    const { jsonName } = this.settings;
    if (jsonName && hasType) {
      nameMap = {};
    }
    let unionSerde;
    if (union2) {
      unionSerde = new UnionSerde(record, out);
    }
    for (const [memberName, memberSchema] of ns.structIterator()) {
      let fromKey = memberName;
      if (jsonName) {
        fromKey = memberSchema.getMergedTraits().jsonName ?? fromKey;
        if (hasType) {
          nameMap[fromKey] = memberName;
        }
      }
      if (union2) {
        unionSerde.mark(fromKey);
      }
      if (record[fromKey] != null) {
        out[memberName] = this._read(memberSchema, record[fromKey]);
      }
    }
    if (union2) {
      unionSerde.writeUnknown();
    } else if (hasType) {
      for (const k3 in record) {
        if (!hasOwn(record, k3)) {
          continue;
        }
        const v2 = record[k3];
        const t2 = jsonName ? nameMap[k3] ?? k3 : k3;
        if (!(t2 in out)) {
          out[t2] = v2;
        }
      }
    }
    return out;
  }
  needsTransform(ns) {
    if (ns.isBlobSchema() || ns.isTimestampSchema() || ns.isBigIntegerSchema() || ns.isBigDecimalSchema() || ns.isNumericSchema()) {
      return true;
    }
    if (ns.isDocumentSchema() || ns.isStructSchema() || ns.isListSchema() || ns.isMapSchema()) {
      return true;
    }
    if (ns.isStringSchema() && ns.getMergedTraits().mediaType) {
      return true;
    }
    return false;
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonBytesStringAdapter.js
var JsonBytesStringAdapter = class _JsonBytesStringAdapter extends Uint8Array {
  string = null;
  static allocUnsafe(bytes) {
    if (typeof Buffer === "function") {
      const buffer = Buffer.allocUnsafe(bytes);
      return new _JsonBytesStringAdapter(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    }
    return new _JsonBytesStringAdapter(bytes);
  }
  toString() {
    return this.s();
  }
  valueOf() {
    return this.s();
  }
  includes(searchString, position) {
    if (typeof searchString === "string") {
      return this.s().includes(searchString, position);
    }
    return Uint8Array.prototype.includes.call(this, searchString, position);
  }
  indexOf(searchString, position) {
    if (typeof searchString === "string") {
      return this.s().indexOf(searchString, position);
    }
    return Uint8Array.prototype.indexOf.call(this, searchString, position);
  }
  lastIndexOf(searchString, position) {
    if (typeof searchString === "string") {
      return this.s().lastIndexOf(searchString, position);
    }
    const fn = Uint8Array.prototype.lastIndexOf;
    if (position !== void 0) {
      return fn.call(this, searchString, position);
    }
    return fn.call(this, searchString);
  }
  startsWith(searchString, position) {
    return this.s().startsWith(searchString, position);
  }
  endsWith(searchString, endPosition) {
    return this.s().endsWith(searchString, endPosition);
  }
  match(regexp) {
    return this.s().match(regexp);
  }
  replace(searchValue, replaceValue) {
    return this.s().replace(searchValue, replaceValue);
  }
  search(regexp) {
    return this.s().search(regexp);
  }
  split(separator, limit) {
    return this.s().split(separator, limit);
  }
  substring(start, end) {
    return this.s().substring(start, end);
  }
  trim() {
    return this.s().trim();
  }
  trimStart() {
    return this.s().trimStart();
  }
  trimEnd() {
    return this.s().trimEnd();
  }
  charAt(pos) {
    return this.s().charAt(pos);
  }
  charCodeAt(index) {
    return this.s().charCodeAt(index);
  }
  padStart(maxLength, fillString) {
    return this.s().padStart(maxLength, fillString);
  }
  padEnd(maxLength, fillString) {
    return this.s().padEnd(maxLength, fillString);
  }
  repeat(count) {
    return this.s().repeat(count);
  }
  toUpperCase() {
    return this.s().toUpperCase();
  }
  toLowerCase() {
    return this.s().toLowerCase();
  }
  s() {
    if (this.string == null) {
      const n2 = Date.now();
      if (n2 > warned + 6e4) {
        console.warn("@aws-sdk/core/protocols - WARN - JsonCodec2: you have called a string method on a Uint8Array request body. It has been automatically converted to string. In a future version this will throw an error.");
        warned = n2;
      }
      this.string = toUtf8(this);
    }
    return this.string;
  }
};
var warned = 0;

// node_modules/@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonShapeSerializer2.js
var encoder = new TextEncoder();
var OPEN_BRACE = 123;
var CLOSE_BRACE = 125;
var OPEN_BRACKET = 91;
var CLOSE_BRACKET = 93;
var QUOTE = 34;
var COLON = 58;
var COMMA = 44;
var BACKSLASH = 92;
var TRUE = new Uint8Array([116, 114, 117, 101]);
var FALSE = new Uint8Array([102, 97, 108, 115, 101]);
var NULL = new Uint8Array([110, 117, 108, 108]);
var ESCAPE_TABLE = new Array(128).fill(null);
ESCAPE_TABLE[8] = "b";
ESCAPE_TABLE[9] = "t";
ESCAPE_TABLE[10] = "n";
ESCAPE_TABLE[12] = "f";
ESCAPE_TABLE[13] = "r";
ESCAPE_TABLE[34] = '"';
ESCAPE_TABLE[92] = "\\";
for (let i3 = 0; i3 < 32; i3++) {
  if (ESCAPE_TABLE[i3] === null) {
    ESCAPE_TABLE[i3] = "u00" + i3.toString(16).padStart(2, "0");
  }
}
var INITIAL_BUFFER_SIZE = 2048;
function alloc(size) {
  return JsonBytesStringAdapter.allocUnsafe(size);
}
var JsonShapeSerializer2 = class _JsonShapeSerializer2 extends SerdeContextConfig {
  settings;
  json;
  i = 0;
  rootSchema;
  rawValue;
  passthrough = false;
  constructor(settings) {
    super();
    this.settings = settings;
    this.json = alloc(INITIAL_BUFFER_SIZE);
  }
  write(schema, value) {
    this.i = 0;
    this.rawValue = value;
    this.rootSchema = NormalizedSchema.of(schema);
    this.passthrough = this.rootSchema.isBlobSchema() || this.rootSchema.isStringSchema();
    if (!this.passthrough) {
      this.writeValue(this.rootSchema, value, void 0);
    }
  }
  writeDiscriminatedDocument(schema, value) {
    this.i = 0;
    this.rootSchema = NormalizedSchema.of(schema);
    const ns = this.rootSchema;
    if (ns.isStructSchema() && value != null && typeof value === "object") {
      this.writeValue(ns, value, void 0);
      const prefix = `"__type":"${ns.getName(true) ?? "Unknown"}",`;
      const z2 = prefix.length;
      this.ensure(z2);
      this.json.copyWithin(1 + z2, 1, this.i);
      encoder.encodeInto(prefix, this.json.subarray(1));
      this.i += z2;
    } else {
      this.writeValue(ns, value, void 0);
    }
  }
  flush() {
    this.rootSchema = void 0;
    const finalPosition = this.i;
    this.i = 0;
    const raw = this.rawValue;
    this.rawValue = void 0;
    if (finalPosition === 0) {
      return raw;
    }
    const result = this.json.subarray(0, finalPosition);
    this.json = alloc(INITIAL_BUFFER_SIZE);
    return result;
  }
  ensure(byteCount) {
    const { i: i3, json } = this;
    if (i3 + byteCount > json.length) {
      let newSize = json.length * 2;
      while (newSize < i3 + byteCount) {
        newSize *= 2;
      }
      const next = alloc(newSize);
      next.set(this.json);
      this.json = next;
    }
  }
  writeAscii(s2) {
    const z2 = s2.length;
    this.ensure(z2);
    let { i: i3, json } = this;
    for (let j3 = 0; j3 < z2; ++j3) {
      json[i3] = s2.charCodeAt(j3);
      i3 += 1;
    }
    this.i = i3;
  }
  writeAsciiQuoted(s2) {
    const z2 = s2.length;
    this.ensure(z2 + 4);
    let { json, i: i3 } = this;
    json[i3++] = QUOTE;
    for (let j3 = 0; j3 < z2; ++j3) {
      json[i3++] = s2.charCodeAt(j3);
    }
    json[i3++] = QUOTE;
    this.i = i3;
  }
  writeJsonString(s2) {
    const z2 = s2.length;
    this.ensure(z2 * 3 + 2);
    this.json[this.i++] = QUOTE;
    for (let j3 = 0; j3 < z2; ++j3) {
      const c3 = s2.charCodeAt(j3);
      if (c3 > 34 && c3 < 92) {
        this.json[this.i++] = c3;
      } else if (c3 < 128) {
        const esc = ESCAPE_TABLE[c3];
        if (esc !== null) {
          this.ensure(esc.length + 1 + (z2 - j3 - 1) * 3 + 1);
          this.json[this.i++] = BACKSLASH;
          for (let k3 = 0; k3 < esc.length; k3++) {
            this.json[this.i++] = esc.charCodeAt(k3);
          }
        } else {
          this.json[this.i++] = c3;
        }
      } else if (c3 >= 55296 && c3 <= 56319) {
        const next = j3 + 1 < z2 ? s2.charCodeAt(j3 + 1) : 0;
        if (next >= 56320 && next <= 57343) {
          this.ensure(4);
          const { written } = encoder.encodeInto(s2.substring(j3, j3 + 2), this.json.subarray(this.i));
          this.i += written;
          ++j3;
        } else {
          this.ensure(6 + (z2 - j3 - 1) * 3 + 1);
          this.writeUnicodeEscape(c3);
        }
      } else if (c3 >= 56320 && c3 <= 57343) {
        this.ensure(6 + (z2 - j3 - 1) * 3 + 1);
        this.writeUnicodeEscape(c3);
      } else {
        let { i: i3, json } = this;
        if (c3 < 2048) {
          json[i3++] = 192 | c3 >> 6;
          json[i3++] = 128 | c3 & 63;
        } else {
          json[i3++] = 224 | c3 >> 12;
          json[i3++] = 128 | c3 >> 6 & 63;
          json[i3++] = 128 | c3 & 63;
        }
        this.i = i3;
      }
    }
    this.json[this.i++] = QUOTE;
  }
  writeUnicodeEscape(code) {
    let { json, i: i3 } = this;
    json[i3++] = BACKSLASH;
    json[i3++] = 117;
    const hex = code.toString(16).padStart(4, "0");
    for (let j3 = 0; j3 < 4; ++j3) {
      json[i3++] = hex.charCodeAt(j3);
    }
    this.i = i3;
  }
  static B64 = (() => {
    const chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const table = new Uint8Array(64);
    for (let i3 = 0; i3 < 64; ++i3) {
      table[i3] = chars.charCodeAt(i3);
    }
    return table;
  })();
  writeBase64(data) {
    const b64Len = Math.ceil(data.length / 3) * 4;
    this.ensure(b64Len + 2);
    const json = this.json;
    const B64 = _JsonShapeSerializer2.B64;
    let i3 = this.i;
    json[i3++] = QUOTE;
    const len = data.length;
    const remainder = len % 3;
    const mainLen = len - remainder;
    for (let j3 = 0; j3 < mainLen; j3 += 3) {
      const a3 = data[j3];
      const b3 = data[j3 + 1];
      const c3 = data[j3 + 2];
      json[i3++] = B64[a3 >> 2];
      json[i3++] = B64[(a3 & 3) << 4 | b3 >> 4];
      json[i3++] = B64[(b3 & 15) << 2 | c3 >> 6];
      json[i3++] = B64[c3 & 63];
    }
    if (remainder === 2) {
      const a3 = data[mainLen];
      const b3 = data[mainLen + 1];
      json[i3++] = B64[a3 >> 2];
      json[i3++] = B64[(a3 & 3) << 4 | b3 >> 4];
      json[i3++] = B64[(b3 & 15) << 2];
      json[i3++] = 61;
    } else if (remainder === 1) {
      const a3 = data[mainLen];
      json[i3++] = B64[a3 >> 2];
      json[i3++] = B64[(a3 & 3) << 4];
      json[i3++] = 61;
      json[i3++] = 61;
    }
    json[i3++] = QUOTE;
    this.i = i3;
  }
  writeValue(schema, value, container) {
    if (value == null) {
      if (container?.isStructSchema()) {
        if (value === void 0) {
          const ns2 = NormalizedSchema.of(schema);
          if (ns2.isIdempotencyToken()) {
            this.writeAsciiQuoted(generateIdempotencyToken());
            return;
          }
        }
        return;
      }
      this.ensure(4);
      this.json.set(NULL, this.i);
      this.i += 4;
      return;
    }
    const ns = NormalizedSchema.of(schema);
    const isObject = typeof value === "object";
    if (ns.isStringSchema()) {
      const mediaType = ns.getMergedTraits().mediaType;
      if (mediaType) {
        const isJson = mediaType === "application/json" || mediaType.endsWith("+json");
        if (isJson) {
          this.writeJsonString(LazyJsonString.from(value).toString());
          return;
        }
      }
    }
    if (this.settings.bigNumberAsString && value != null && (ns.isBigIntegerSchema() || ns.isBigDecimalSchema())) {
      const asString = value instanceof NumericValue ? value.string : String(value);
      this.writeAsciiQuoted(asString);
      return;
    }
    if (isObject) {
      if (ns.isStructSchema()) {
        this.writeStruct(ns, value);
        return;
      }
      if (Array.isArray(value) && (ns.isListSchema() || ns.isDocumentSchema())) {
        this.writeList(ns, value, ns.isDocumentSchema());
        return;
      }
      if (ns.isMapSchema()) {
        this.writeMap(ns, value, false);
        return;
      }
      if (value instanceof Uint8Array && (ns.isBlobSchema() || ns.isDocumentSchema())) {
        this.writeBase64(value);
        return;
      }
      if (value instanceof Date && (ns.isTimestampSchema() || ns.isDocumentSchema())) {
        this.writeTimestamp(ns, value);
        return;
      }
      if (value instanceof NumericValue) {
        this.writeAscii(value.string);
        return;
      }
      if (ns.isDocumentSchema()) {
        if (Array.isArray(value)) {
          this.writeList(ns, value, true);
        } else {
          this.writeMap(ns, value, true);
        }
        return;
      }
      const json = JSON.stringify(value);
      this.writeAscii(json);
      return;
    }
    if (typeof value === "string") {
      if (ns.isBlobSchema()) {
        const b64 = (this.serdeContext?.base64Encoder ?? toBase64)(value);
        this.writeAsciiQuoted(b64);
        return;
      }
      this.writeJsonString(value);
      return;
    }
    if (typeof value === "number") {
      if (Math.abs(value) === Infinity || Number.isNaN(value)) {
        this.writeAsciiQuoted(String(value));
        return;
      }
      const numStr = String(value);
      this.writeAscii(numStr);
      return;
    }
    if (typeof value === "boolean") {
      this.ensure(5);
      let { i: i3, json } = this;
      if (value) {
        json.set(TRUE, i3);
        i3 += 4;
      } else {
        json.set(FALSE, i3);
        i3 += 5;
      }
      this.i = i3;
      return;
    }
    if (typeof value === "bigint") {
      this.writeAscii(value.toString());
      return;
    }
    this.writeAscii(String(value));
  }
  writeStruct(ns, value) {
    this.ensure(2);
    this.json[this.i++] = OPEN_BRACE;
    let wroteAny = false;
    const hasType = typeof value.__type === "string";
    let writtenKeys;
    if (hasType) {
      writtenKeys = /* @__PURE__ */ new Set();
    }
    for (const [memberName, memberSchema] of ns.structIterator()) {
      const item = value[memberName];
      if (item == null && !memberSchema.isIdempotencyToken()) {
        continue;
      }
      if (wroteAny) {
        this.ensure(1);
        this.json[this.i++] = COMMA;
      }
      wroteAny = true;
      const targetKey = this.settings.jsonName ? memberSchema.getMergedTraits().jsonName ?? memberName : memberName;
      if (writtenKeys) {
        writtenKeys.add(memberName);
        writtenKeys.add(targetKey);
      }
      this.writeAsciiQuoted(targetKey);
      this.json[this.i++] = COLON;
      this.writeValue(memberSchema, item, ns);
    }
    if (!wroteAny && ns.isUnionSchema()) {
      const { $unknown } = value;
      if (Array.isArray($unknown)) {
        const [k3, v2] = $unknown;
        this.writeAsciiQuoted(k3);
        this.ensure(1);
        this.json[this.i++] = COLON;
        this.writeValue(15, v2, ns);
      }
    } else if (hasType) {
      for (const k3 in value) {
        if (writtenKeys.has(k3)) {
          continue;
        }
        writtenKeys.add(k3);
        const v2 = value[k3];
        if (wroteAny) {
          this.ensure(1);
          this.json[this.i++] = COMMA;
        }
        wroteAny = true;
        this.writeAsciiQuoted(k3);
        this.ensure(1);
        this.json[this.i++] = COLON;
        this.writeValue(15, v2, void 0);
      }
    }
    this.ensure(1);
    this.json[this.i++] = CLOSE_BRACE;
  }
  writeList(ns, value, isDocument) {
    const sparse = !!ns.getMergedTraits().sparse;
    const valueSchema = ns.getValueSchema();
    if (!isDocument) {
      if (valueSchema.isStringSchema() || valueSchema.isNumericSchema() || valueSchema.isBooleanSchema()) {
        let hasSpecials = false;
        for (let i3 = 0; i3 < value.length; ++i3) {
          const v2 = value[i3];
          if (Number.isNaN(v2) || v2 === Infinity || v2 === -Infinity || v2 == null && !sparse) {
            hasSpecials = true;
            break;
          }
        }
        let json;
        if (!hasSpecials) {
          json = JSON.stringify(value);
        } else {
          const out = [];
          for (let i3 = 0; i3 < value.length; ++i3) {
            const v2 = value[i3];
            if (v2 == null && !sparse) {
              continue;
            }
            if (Number.isNaN(v2) || v2 === Infinity || v2 === -Infinity) {
              out.push(String(v2));
            } else {
              out.push(v2);
            }
          }
          json = JSON.stringify(out);
        }
        this.ensure(json.length * 3);
        this.i += encoder.encodeInto(json, this.json.subarray(this.i)).written;
        return;
      }
    }
    this.ensure(2);
    this.json[this.i++] = OPEN_BRACKET;
    let wroteFirstItem = false;
    for (let i3 = 0; i3 < value.length; ++i3) {
      const item = value[i3];
      if (isDocument ? item === void 0 : item == null && !sparse) {
        continue;
      }
      if (wroteFirstItem) {
        this.ensure(1);
        this.json[this.i++] = COMMA;
      }
      this.writeValue(valueSchema, item, void 0);
      wroteFirstItem = true;
    }
    this.ensure(1);
    this.json[this.i++] = CLOSE_BRACKET;
  }
  writeMap(ns, value, isDocument) {
    const sparse = !!ns.getMergedTraits().sparse;
    const valueSchema = ns.getValueSchema();
    if (!isDocument) {
      if (valueSchema.isStringSchema() || valueSchema.isNumericSchema() || valueSchema.isBooleanSchema()) {
        let modifications;
        for (const k3 in value) {
          if (!hasOwn(value, k3)) {
            continue;
          }
          const v2 = value[k3];
          if (Number.isNaN(v2) || v2 === Infinity || v2 === -Infinity) {
            (modifications ??= {})[k3] = v2;
            value[k3] = String(v2);
          } else if (v2 === null && !sparse) {
            (modifications ??= {})[k3] = null;
            value[k3] = void 0;
          }
        }
        const json = JSON.stringify(value);
        if (modifications) {
          Object.assign(value, modifications);
        }
        this.ensure(json.length * 3);
        this.i += encoder.encodeInto(json, this.json.subarray(this.i)).written;
        return;
      }
    }
    this.ensure(2);
    this.json[this.i++] = OPEN_BRACE;
    let first = true;
    for (const k3 in value) {
      if (!hasOwn(value, k3)) {
        continue;
      }
      const v2 = value[k3];
      if (isDocument ? v2 === void 0 : v2 == null && !sparse) {
        continue;
      }
      if (!first) {
        this.ensure(1);
        this.json[this.i++] = COMMA;
      }
      first = false;
      this.writeJsonString(k3);
      this.ensure(1);
      this.json[this.i++] = COLON;
      this.writeValue(valueSchema, v2, void 0);
    }
    this.ensure(1);
    this.json[this.i++] = CLOSE_BRACE;
  }
  writeTimestamp(ns, value) {
    const format2 = determineTimestampFormat(ns, this.settings);
    switch (format2) {
      case 5: {
        const iso = value.toISOString().replace(".000Z", "Z");
        this.writeAsciiQuoted(iso);
        return;
      }
      case 6: {
        this.writeAsciiQuoted(unsupported(value));
        return;
      }
      case 7: {
        const epochSecs = String(value.getTime() / 1e3);
        this.writeAscii(epochSecs);
        return;
      }
      default: {
        const epochSecs = String(value.getTime() / 1e3);
        this.writeAscii(epochSecs);
        return;
      }
    }
  }
};

// node_modules/@smithy/core/dist-es/submodules/protocols/json/codec-v2/JsonCodec2.js
var JsonCodec2 = class extends SerdeContextConfig {
  settings;
  constructor(settings) {
    super();
    this.settings = settings;
  }
  createSerializer() {
    const serializer = new JsonShapeSerializer2(this.settings);
    serializer.setSerdeContext(this.serdeContext);
    return serializer;
  }
  createDeserializer() {
    const deserializer = new JsonShapeDeserializer2(this.settings);
    deserializer.setSerdeContext(this.serdeContext);
    return deserializer;
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-host-header/hostHeaderMiddleware.js
function resolveHostHeaderConfig(input) {
  return input;
}
var hostHeaderMiddleware = (options) => (next) => async (args) => {
  if (!HttpRequest.isInstance(args.request)) {
    return next(args);
  }
  const { request } = args;
  const { handlerProtocol = "" } = options.requestHandler.metadata || {};
  if (handlerProtocol.indexOf("h2") >= 0 && !request.headers[":authority"]) {
    delete request.headers["host"];
    request.headers[":authority"] = request.hostname + (request.port ? ":" + request.port : "");
  } else if (!request.headers["host"]) {
    let host = request.hostname;
    if (request.port != null) {
      host += `:${request.port}`;
    }
    request.headers["host"] = host;
  }
  return next(args);
};
var hostHeaderMiddlewareOptions = {
  name: "hostHeaderMiddleware",
  step: "build",
  priority: "low",
  tags: ["HOST"],
  override: true
};
var getHostHeaderPlugin = (options) => ({
  applyToStack: (clientStack) => {
    clientStack.add(hostHeaderMiddleware(options), hostHeaderMiddlewareOptions);
  }
});

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js
var loggerMiddleware = () => (next, context) => async (args) => {
  try {
    const response = await next(args);
    const { clientName, commandName, logger, dynamoDbDocumentClientOptions = {} } = context;
    const { overrideInputFilterSensitiveLog, overrideOutputFilterSensitiveLog } = dynamoDbDocumentClientOptions;
    const inputFilterSensitiveLog = overrideInputFilterSensitiveLog ?? context.inputFilterSensitiveLog;
    const outputFilterSensitiveLog = overrideOutputFilterSensitiveLog ?? context.outputFilterSensitiveLog;
    const { $metadata, ...outputWithoutMetadata } = response.output;
    logger?.info?.({
      clientName,
      commandName,
      input: inputFilterSensitiveLog(args.input),
      output: outputFilterSensitiveLog(outputWithoutMetadata),
      metadata: $metadata
    });
    return response;
  } catch (error) {
    const { clientName, commandName, logger, dynamoDbDocumentClientOptions = {} } = context;
    const { overrideInputFilterSensitiveLog } = dynamoDbDocumentClientOptions;
    const inputFilterSensitiveLog = overrideInputFilterSensitiveLog ?? context.inputFilterSensitiveLog;
    logger?.error?.({
      clientName,
      commandName,
      input: inputFilterSensitiveLog(args.input),
      error,
      metadata: error.$metadata
    });
    throw error;
  }
};
var loggerMiddlewareOptions = {
  name: "loggerMiddleware",
  tags: ["LOGGER"],
  step: "initialize",
  override: true
};
var getLoggerPlugin = (options) => ({
  applyToStack: (clientStack) => {
    clientStack.add(loggerMiddleware(), loggerMiddlewareOptions);
  }
});

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/configuration.js
var recursionDetectionMiddlewareOptions = {
  step: "build",
  tags: ["RECURSION_DETECTION", "TRACE_CONTEXT_PROPAGATION"],
  name: "recursionDetectionMiddleware",
  override: true,
  priority: "low"
};

// node_modules/@aws/lambda-invoke-store/dist-es/invoke-store.js
var PROTECTED_KEYS = {
  REQUEST_ID: /* @__PURE__ */ Symbol.for("_AWS_LAMBDA_REQUEST_ID"),
  X_RAY_TRACE_ID: /* @__PURE__ */ Symbol.for("_AWS_LAMBDA_X_RAY_TRACE_ID"),
  TENANT_ID: /* @__PURE__ */ Symbol.for("_AWS_LAMBDA_TENANT_ID"),
  TRACEPARENT: /* @__PURE__ */ Symbol.for("_AWS_LAMBDA_TRACEPARENT"),
  TRACESTATE: /* @__PURE__ */ Symbol.for("_AWS_LAMBDA_TRACESTATE"),
  BAGGAGE: /* @__PURE__ */ Symbol.for("_AWS_LAMBDA_BAGGAGE")
};
var NO_GLOBAL_AWS_LAMBDA = ["true", "1"].includes(process.env?.AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA ?? "");
if (!NO_GLOBAL_AWS_LAMBDA) {
  globalThis.awslambda = globalThis.awslambda || {};
}
var InvokeStoreBase = class {
  static PROTECTED_KEYS = PROTECTED_KEYS;
  isProtectedKey(key) {
    return Object.values(PROTECTED_KEYS).includes(key);
  }
  getRequestId() {
    return this.get(PROTECTED_KEYS.REQUEST_ID) ?? "-";
  }
  getXRayTraceId() {
    return this.get(PROTECTED_KEYS.X_RAY_TRACE_ID);
  }
  getTenantId() {
    return this.get(PROTECTED_KEYS.TENANT_ID);
  }
  getTraceparent() {
    return this.get(PROTECTED_KEYS.TRACEPARENT);
  }
  getTracestate() {
    return this.get(PROTECTED_KEYS.TRACESTATE);
  }
  getBaggage() {
    return this.get(PROTECTED_KEYS.BAGGAGE);
  }
};
var InvokeStoreSingle = class extends InvokeStoreBase {
  currentContext;
  getContext() {
    return this.currentContext;
  }
  hasContext() {
    return this.currentContext !== void 0;
  }
  get(key) {
    return this.currentContext?.[key];
  }
  set(key, value) {
    if (this.isProtectedKey(key)) {
      throw new Error(`Cannot modify protected Lambda context field: ${String(key)}`);
    }
    this.currentContext = this.currentContext || {};
    this.currentContext[key] = value;
  }
  run(context, fn) {
    this.currentContext = context;
    return fn();
  }
};
var InvokeStoreMulti = class _InvokeStoreMulti extends InvokeStoreBase {
  als;
  static async create() {
    const instance = new _InvokeStoreMulti();
    const asyncHooks = await Promise.resolve().then(() => __toESM(require("node:async_hooks")));
    instance.als = new asyncHooks.AsyncLocalStorage();
    return instance;
  }
  getContext() {
    return this.als.getStore();
  }
  hasContext() {
    return this.als.getStore() !== void 0;
  }
  get(key) {
    return this.als.getStore()?.[key];
  }
  set(key, value) {
    if (this.isProtectedKey(key)) {
      throw new Error(`Cannot modify protected Lambda context field: ${String(key)}`);
    }
    const store = this.als.getStore();
    if (!store) {
      throw new Error("No context available");
    }
    store[key] = value;
  }
  run(context, fn) {
    return this.als.run(context, fn);
  }
};
var InvokeStore;
(function(InvokeStore2) {
  let instance = null;
  async function getInstanceAsync(forceInvokeStoreMulti) {
    if (!instance) {
      instance = (async () => {
        const isMulti = forceInvokeStoreMulti === true || "AWS_LAMBDA_MAX_CONCURRENCY" in process.env;
        const newInstance = isMulti ? await InvokeStoreMulti.create() : new InvokeStoreSingle();
        if (!NO_GLOBAL_AWS_LAMBDA && globalThis.awslambda?.InvokeStore) {
          return globalThis.awslambda.InvokeStore;
        } else if (!NO_GLOBAL_AWS_LAMBDA && globalThis.awslambda) {
          globalThis.awslambda.InvokeStore = newInstance;
          return newInstance;
        } else {
          return newInstance;
        }
      })();
    }
    return instance;
  }
  InvokeStore2.getInstanceAsync = getInstanceAsync;
  InvokeStore2._testing = process.env.AWS_LAMBDA_BENCHMARK_MODE === "1" ? {
    reset: () => {
      instance = null;
      if (globalThis.awslambda?.InvokeStore) {
        delete globalThis.awslambda.InvokeStore;
      }
      globalThis.awslambda = { InvokeStore: void 0 };
    }
  } : void 0;
})(InvokeStore || (InvokeStore = {}));

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/recursionDetectionMiddleware.js
var AWS_LAMBDA_FUNCTION_NAME = "AWS_LAMBDA_FUNCTION_NAME";
var _X_AMZN_TRACE_ID = "_X_AMZN_TRACE_ID";
var X_AMZN_TRACE_ID = "X-Amzn-Trace-Id";
var TRACEPARENT = "traceparent";
var TRACESTATE = "tracestate";
var BAGGAGE = "baggage";
var recursionDetectionMiddleware = () => (next) => async (args) => {
  const { request } = args;
  if (!HttpRequest.isInstance(request)) {
    return next(args);
  }
  let invokeStore;
  {
    const traceIdHeader = Object.keys(request.headers ?? {}).find((h3) => h3.toLowerCase() === X_AMZN_TRACE_ID.toLowerCase()) ?? X_AMZN_TRACE_ID;
    if (!request.headers.hasOwnProperty(traceIdHeader)) {
      const functionName = process.env[AWS_LAMBDA_FUNCTION_NAME];
      const traceIdFromEnv = process.env[_X_AMZN_TRACE_ID];
      invokeStore ??= await InvokeStore.getInstanceAsync();
      const traceIdFromInvokeStore = invokeStore?.getXRayTraceId();
      const traceId = traceIdFromInvokeStore ?? traceIdFromEnv;
      const nonEmptyString = (str) => typeof str === "string" && str.length > 0;
      if (nonEmptyString(functionName) && nonEmptyString(traceId)) {
        request.headers[X_AMZN_TRACE_ID] = traceId;
      }
    }
  }
  {
    sanitizeTraceHeaders(request.headers);
    const existingTraceparent = request.headers[TRACEPARENT];
    if (!existingTraceparent) {
      const traceparent = (invokeStore ??= await InvokeStore.getInstanceAsync())?.getTraceparent?.();
      if (traceparent) {
        request.headers[TRACEPARENT] = traceparent;
        const tracestate = invokeStore?.getTracestate?.();
        if (tracestate) {
          request.headers[TRACESTATE] = tracestate;
        }
        const baggage = invokeStore?.getBaggage?.();
        if (baggage) {
          request.headers[BAGGAGE] = baggage;
        }
      }
    }
  }
  return next(args);
};
function sanitizeTraceHeaders(headers) {
  for (const header of Object.keys(headers)) {
    const lower = header.toLowerCase();
    if (header !== lower && (lower === TRACEPARENT || lower === TRACESTATE || lower === BAGGAGE)) {
      headers[lower] = headers[header];
      delete headers[header];
    }
  }
}

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/getRecursionDetectionPlugin.js
var getRecursionDetectionPlugin = (options) => ({
  applyToStack: (clientStack) => {
    clientStack.add(recursionDetectionMiddleware(), recursionDetectionMiddlewareOptions);
  }
});

// node_modules/@smithy/core/dist-es/legacy-root-exports/middleware-http-auth-scheme/resolveAuthOptions.js
var resolveAuthOptions = (candidateAuthOptions, authSchemePreference) => {
  if (!authSchemePreference || authSchemePreference.length === 0) {
    return candidateAuthOptions;
  }
  const preferredAuthOptions = [];
  for (const preferredSchemeName of authSchemePreference) {
    for (const candidateAuthOption of candidateAuthOptions) {
      const candidateAuthSchemeName = candidateAuthOption.schemeId.split("#")[1];
      if (candidateAuthSchemeName === preferredSchemeName) {
        preferredAuthOptions.push(candidateAuthOption);
      }
    }
  }
  for (const candidateAuthOption of candidateAuthOptions) {
    if (!preferredAuthOptions.find(({ schemeId }) => schemeId === candidateAuthOption.schemeId)) {
      preferredAuthOptions.push(candidateAuthOption);
    }
  }
  return preferredAuthOptions;
};

// node_modules/@smithy/core/dist-es/legacy-root-exports/middleware-http-auth-scheme/httpAuthSchemeMiddleware.js
function convertHttpAuthSchemesToMap(httpAuthSchemes) {
  const map = /* @__PURE__ */ new Map();
  for (const scheme of httpAuthSchemes) {
    map.set(scheme.schemeId, scheme);
  }
  return map;
}
var httpAuthSchemeMiddleware = (config, mwOptions) => (next, context) => async (args) => {
  const options = config.httpAuthSchemeProvider(await mwOptions.httpAuthSchemeParametersProvider(config, context, args.input));
  const authSchemePreference = config.authSchemePreference ? await config.authSchemePreference() : [];
  const resolvedOptions = resolveAuthOptions(options, authSchemePreference);
  const authSchemes = convertHttpAuthSchemesToMap(config.httpAuthSchemes);
  const smithyContext = getSmithyContext(context);
  const failureReasons = [];
  for (const option of resolvedOptions) {
    const scheme = authSchemes.get(option.schemeId);
    if (!scheme) {
      failureReasons.push(`HttpAuthScheme \`${option.schemeId}\` was not enabled for this service.`);
      continue;
    }
    const identityProvider = scheme.identityProvider(await mwOptions.identityProviderConfigProvider(config));
    if (!identityProvider) {
      failureReasons.push(`HttpAuthScheme \`${option.schemeId}\` did not have an IdentityProvider configured.`);
      continue;
    }
    const { identityProperties = {}, signingProperties = {} } = option.propertiesExtractor?.(config, context) || {};
    option.identityProperties = Object.assign(option.identityProperties || {}, identityProperties);
    option.signingProperties = Object.assign(option.signingProperties || {}, signingProperties);
    smithyContext.selectedHttpAuthScheme = {
      httpAuthOption: option,
      identity: await identityProvider(option.identityProperties),
      signer: scheme.signer
    };
    break;
  }
  if (!smithyContext.selectedHttpAuthScheme) {
    throw new Error(failureReasons.join("\n"));
  }
  return next(args);
};

// node_modules/@smithy/core/dist-es/legacy-root-exports/middleware-http-auth-scheme/getHttpAuthSchemeEndpointRuleSetPlugin.js
var httpAuthSchemeEndpointRuleSetMiddlewareOptions = {
  step: "serialize",
  tags: ["HTTP_AUTH_SCHEME"],
  name: "httpAuthSchemeMiddleware",
  override: true,
  relation: "before",
  toMiddleware: "endpointV2Middleware"
};
var getHttpAuthSchemeEndpointRuleSetPlugin = (config, { httpAuthSchemeParametersProvider, identityProviderConfigProvider }) => ({
  applyToStack: (clientStack) => {
    clientStack.addRelativeTo(httpAuthSchemeMiddleware(config, {
      httpAuthSchemeParametersProvider,
      identityProviderConfigProvider
    }), httpAuthSchemeEndpointRuleSetMiddlewareOptions);
  }
});

// node_modules/@smithy/core/dist-es/legacy-root-exports/middleware-http-signing/httpSigningMiddleware.js
var defaultErrorHandler = (signingProperties) => (error) => {
  throw error;
};
var defaultSuccessHandler = (httpResponse, signingProperties) => {
};
var httpSigningMiddleware = (config) => (next, context) => async (args) => {
  if (!HttpRequest.isInstance(args.request)) {
    return next(args);
  }
  const smithyContext = getSmithyContext(context);
  const scheme = smithyContext.selectedHttpAuthScheme;
  if (!scheme) {
    throw new Error(`No HttpAuthScheme was selected: unable to sign request`);
  }
  const { httpAuthOption: { signingProperties = {} }, identity, signer } = scheme;
  const output = await next({
    ...args,
    request: await signer.sign(args.request, identity, signingProperties)
  }).catch((signer.errorHandler || defaultErrorHandler)(signingProperties));
  (signer.successHandler || defaultSuccessHandler)(output.response, signingProperties);
  return output;
};

// node_modules/@smithy/core/dist-es/legacy-root-exports/middleware-http-signing/getHttpSigningMiddleware.js
var httpSigningMiddlewareOptions = {
  step: "finalizeRequest",
  tags: ["HTTP_SIGNING"],
  name: "httpSigningMiddleware",
  aliases: ["apiKeyMiddleware", "tokenMiddleware", "awsAuthMiddleware"],
  override: true,
  relation: "after",
  toMiddleware: "retryMiddleware"
};
var getHttpSigningPlugin = (config) => ({
  applyToStack: (clientStack) => {
    clientStack.addRelativeTo(httpSigningMiddleware(config), httpSigningMiddlewareOptions);
  }
});

// node_modules/@smithy/core/dist-es/normalizeProvider.js
var normalizeProvider2 = (input) => {
  if (typeof input === "function") {
    return input;
  }
  const promisified = Promise.resolve(input);
  return () => promisified;
};

// node_modules/@smithy/core/dist-es/legacy-root-exports/pagination/createPaginator.js
var makePagedClientRequest = async (CommandCtor, client, input, withCommand = (_) => _, ...args) => {
  let command3 = new CommandCtor(input);
  command3 = withCommand(command3) ?? command3;
  return await client.send(command3, ...args);
};
function createPaginator(ClientCtor, CommandCtor, inputTokenName, outputTokenName, pageSizeTokenName) {
  return async function* paginateOperation(config, input, ...additionalArguments) {
    const _input = input;
    let token = config.startingToken ?? _input[inputTokenName];
    let hasNext = true;
    let page;
    while (hasNext) {
      _input[inputTokenName] = token;
      if (pageSizeTokenName) {
        _input[pageSizeTokenName] = _input[pageSizeTokenName] ?? config.pageSize;
      }
      if (config.client instanceof ClientCtor) {
        page = await makePagedClientRequest(CommandCtor, config.client, input, config.withCommand, ...additionalArguments);
      } else {
        throw new Error(`Invalid client, expected instance of ${ClientCtor.name}`);
      }
      yield page;
      const prevToken = token;
      token = get(page, outputTokenName);
      hasNext = !!(token && (!config.stopOnSameToken || token !== prevToken));
    }
    return void 0;
  };
}
var get = (fromObject, path) => {
  let cursor = fromObject;
  const pathComponents = path.split(".");
  for (const step of pathComponents) {
    if (!cursor || typeof cursor !== "object") {
      return void 0;
    }
    cursor = cursor[step];
  }
  return cursor;
};

// node_modules/@smithy/core/dist-es/legacy-root-exports/util-identity-and-auth/DefaultIdentityProviderConfig.js
var DefaultIdentityProviderConfig = class {
  authSchemes = /* @__PURE__ */ new Map();
  constructor(config) {
    for (const key in config) {
      if (!hasOwn(config, key)) {
        continue;
      }
      const value = config[key];
      if (value !== void 0) {
        this.authSchemes.set(key, value);
      }
    }
  }
  getIdentityProvider(schemeId) {
    return this.authSchemes.get(schemeId);
  }
};

// node_modules/@smithy/core/dist-es/legacy-root-exports/util-identity-and-auth/memoizeIdentityProvider.js
var createIsIdentityExpiredFunction = (expirationMs) => function isIdentityExpired2(identity) {
  return doesIdentityRequireRefresh(identity) && identity.expiration.getTime() - Date.now() < expirationMs;
};
var EXPIRATION_MS = 3e5;
var isIdentityExpired = createIsIdentityExpiredFunction(EXPIRATION_MS);
var doesIdentityRequireRefresh = (identity) => identity.expiration !== void 0;
var memoizeIdentityProvider = (provider, isExpired, requiresRefresh) => {
  if (provider === void 0) {
    return void 0;
  }
  const normalizedProvider = typeof provider !== "function" ? async () => Promise.resolve(provider) : provider;
  let resolved;
  let pending;
  let hasResult;
  let isConstant = false;
  const coalesceProvider = async (options) => {
    if (!pending) {
      pending = normalizedProvider(options);
    }
    try {
      resolved = await pending;
      hasResult = true;
      isConstant = false;
    } finally {
      pending = void 0;
    }
    return resolved;
  };
  if (isExpired === void 0) {
    return async (options) => {
      if (!hasResult || options?.forceRefresh) {
        resolved = await coalesceProvider(options);
      }
      return resolved;
    };
  }
  return async (options) => {
    if (!hasResult || options?.forceRefresh) {
      resolved = await coalesceProvider(options);
    }
    if (isConstant) {
      return resolved;
    }
    if (!requiresRefresh(resolved)) {
      isConstant = true;
      return resolved;
    }
    if (isExpired(resolved)) {
      await coalesceProvider(options);
      return resolved;
    }
    return resolved;
  };
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/configurations.js
var DEFAULT_UA_APP_ID = void 0;
function isValidUserAgentAppId(appId) {
  if (appId === void 0) {
    return true;
  }
  return typeof appId === "string" && appId.length <= 50;
}
function resolveUserAgentConfig(input) {
  const normalizedAppIdProvider = normalizeProvider2(input.userAgentAppId ?? DEFAULT_UA_APP_ID);
  const { customUserAgent } = input;
  return Object.assign(input, {
    customUserAgent: typeof customUserAgent === "string" ? [[customUserAgent]] : customUserAgent,
    userAgentAppId: async () => {
      const appId = await normalizedAppIdProvider();
      if (!isValidUserAgentAppId(appId)) {
        const logger = input.logger?.constructor?.name === "NoOpLogger" || !input.logger ? console : input.logger;
        if (typeof appId !== "string") {
          logger?.warn("userAgentAppId must be a string or undefined.");
        } else if (appId.length > 50) {
          logger?.warn("The provided userAgentAppId exceeds the maximum length of 50 characters.");
        }
      }
      return appId;
    }
  });
}

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js
var partitionsInfo = {
  "partitions": [
    {
      "id": "aws",
      "outputs": {
        "dnsSuffix": "amazonaws.com",
        "dualStackDnsSuffix": "api.aws",
        "implicitGlobalRegion": "us-east-1",
        "name": "aws",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^(us|eu|ap|sa|ca|me|af|il|mx)\\-\\w+\\-\\d+$",
      "regions": {
        "af-south-1": {
          "description": "Africa (Cape Town)"
        },
        "ap-east-1": {
          "description": "Asia Pacific (Hong Kong)"
        },
        "ap-east-2": {
          "description": "Asia Pacific (Taipei)"
        },
        "ap-northeast-1": {
          "description": "Asia Pacific (Tokyo)"
        },
        "ap-northeast-2": {
          "description": "Asia Pacific (Seoul)"
        },
        "ap-northeast-3": {
          "description": "Asia Pacific (Osaka)"
        },
        "ap-south-1": {
          "description": "Asia Pacific (Mumbai)"
        },
        "ap-south-2": {
          "description": "Asia Pacific (Hyderabad)"
        },
        "ap-southeast-1": {
          "description": "Asia Pacific (Singapore)"
        },
        "ap-southeast-2": {
          "description": "Asia Pacific (Sydney)"
        },
        "ap-southeast-3": {
          "description": "Asia Pacific (Jakarta)"
        },
        "ap-southeast-4": {
          "description": "Asia Pacific (Melbourne)"
        },
        "ap-southeast-5": {
          "description": "Asia Pacific (Malaysia)"
        },
        "ap-southeast-6": {
          "description": "Asia Pacific (New Zealand)"
        },
        "ap-southeast-7": {
          "description": "Asia Pacific (Thailand)"
        },
        "aws-global": {
          "description": "aws global region"
        },
        "ca-central-1": {
          "description": "Canada (Central)"
        },
        "ca-west-1": {
          "description": "Canada West (Calgary)"
        },
        "eu-central-1": {
          "description": "Europe (Frankfurt)"
        },
        "eu-central-2": {
          "description": "Europe (Zurich)"
        },
        "eu-north-1": {
          "description": "Europe (Stockholm)"
        },
        "eu-south-1": {
          "description": "Europe (Milan)"
        },
        "eu-south-2": {
          "description": "Europe (Spain)"
        },
        "eu-west-1": {
          "description": "Europe (Ireland)"
        },
        "eu-west-2": {
          "description": "Europe (London)"
        },
        "eu-west-3": {
          "description": "Europe (Paris)"
        },
        "il-central-1": {
          "description": "Israel (Tel Aviv)"
        },
        "me-central-1": {
          "description": "Middle East (UAE)"
        },
        "me-south-1": {
          "description": "Middle East (Bahrain)"
        },
        "me-west-1": {
          "description": "Middle East (Saudi Arabia)"
        },
        "mx-central-1": {
          "description": "Mexico (Central)"
        },
        "sa-east-1": {
          "description": "South America (Sao Paulo)"
        },
        "sa-west-1": {
          "description": "South America (Chile)"
        },
        "us-east-1": {
          "description": "US East (N. Virginia)"
        },
        "us-east-2": {
          "description": "US East (Ohio)"
        },
        "us-west-1": {
          "description": "US West (N. California)"
        },
        "us-west-2": {
          "description": "US West (Oregon)"
        }
      }
    },
    {
      "id": "aws-cn",
      "outputs": {
        "dnsSuffix": "amazonaws.com.cn",
        "dualStackDnsSuffix": "api.amazonwebservices.com.cn",
        "implicitGlobalRegion": "cn-northwest-1",
        "name": "aws-cn",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^cn\\-\\w+\\-\\d+$",
      "regions": {
        "aws-cn-global": {
          "description": "aws-cn global region"
        },
        "cn-north-1": {
          "description": "China (Beijing)"
        },
        "cn-northwest-1": {
          "description": "China (Ningxia)"
        }
      }
    },
    {
      "id": "aws-eusc",
      "outputs": {
        "dnsSuffix": "amazonaws.eu",
        "dualStackDnsSuffix": "api.amazonwebservices.eu",
        "implicitGlobalRegion": "eusc-de-east-1",
        "name": "aws-eusc",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^eusc\\-(de)\\-\\w+\\-\\d+$",
      "regions": {
        "eusc-de-east-1": {
          "description": "AWS European Sovereign Cloud (Germany)"
        }
      }
    },
    {
      "id": "aws-iso",
      "outputs": {
        "dnsSuffix": "c2s.ic.gov",
        "dualStackDnsSuffix": "api.aws.ic.gov",
        "implicitGlobalRegion": "us-iso-east-1",
        "name": "aws-iso",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^us\\-iso\\-\\w+\\-\\d+$",
      "regions": {
        "aws-iso-global": {
          "description": "aws-iso global region"
        },
        "us-iso-east-1": {
          "description": "US ISO East"
        },
        "us-iso-west-1": {
          "description": "US ISO WEST"
        }
      }
    },
    {
      "id": "aws-iso-b",
      "outputs": {
        "dnsSuffix": "sc2s.sgov.gov",
        "dualStackDnsSuffix": "api.aws.scloud",
        "implicitGlobalRegion": "us-isob-east-1",
        "name": "aws-iso-b",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^us\\-isob\\-\\w+\\-\\d+$",
      "regions": {
        "aws-iso-b-global": {
          "description": "aws-iso-b global region"
        },
        "us-isob-east-1": {
          "description": "US ISOB East (Ohio)"
        },
        "us-isob-west-1": {
          "description": "US ISOB West"
        }
      }
    },
    {
      "id": "aws-iso-e",
      "outputs": {
        "dnsSuffix": "cloud.adc-e.uk",
        "dualStackDnsSuffix": "api.cloud-aws.adc-e.uk",
        "implicitGlobalRegion": "eu-isoe-west-1",
        "name": "aws-iso-e",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^eu\\-isoe\\-\\w+\\-\\d+$",
      "regions": {
        "aws-iso-e-global": {
          "description": "aws-iso-e global region"
        },
        "eu-isoe-west-1": {
          "description": "EU ISOE West"
        }
      }
    },
    {
      "id": "aws-iso-f",
      "outputs": {
        "dnsSuffix": "csp.hci.ic.gov",
        "dualStackDnsSuffix": "api.aws.hci.ic.gov",
        "implicitGlobalRegion": "us-isof-south-1",
        "name": "aws-iso-f",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^us\\-isof\\-\\w+\\-\\d+$",
      "regions": {
        "aws-iso-f-global": {
          "description": "aws-iso-f global region"
        },
        "us-isof-east-1": {
          "description": "US ISOF EAST"
        },
        "us-isof-south-1": {
          "description": "US ISOF SOUTH"
        }
      }
    },
    {
      "id": "aws-us-gov",
      "outputs": {
        "dnsSuffix": "amazonaws.com",
        "dualStackDnsSuffix": "api.aws",
        "implicitGlobalRegion": "us-gov-west-1",
        "name": "aws-us-gov",
        "supportsDualStack": true,
        "supportsFIPS": true
      },
      "regionRegex": "^us\\-gov\\-\\w+\\-\\d+$",
      "regions": {
        "aws-us-gov-global": {
          "description": "aws-us-gov global region"
        },
        "us-gov-east-1": {
          "description": "AWS GovCloud (US-East)"
        },
        "us-gov-west-1": {
          "description": "AWS GovCloud (US-West)"
        }
      }
    }
  ],
  "version": "1.1"
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partition.js
var selectedPartitionsInfo = partitionsInfo;
var selectedUserAgentPrefix = "";
var partition = (value) => {
  const { partitions } = selectedPartitionsInfo;
  for (const partition2 of partitions) {
    const { regions, outputs } = partition2;
    for (const [region, regionData] of Object.entries(regions)) {
      if (region === value) {
        return {
          ...outputs,
          ...regionData
        };
      }
    }
  }
  for (const partition2 of partitions) {
    const { regionRegex, outputs } = partition2;
    if (new RegExp(regionRegex).test(value)) {
      return {
        ...outputs
      };
    }
  }
  const DEFAULT_PARTITION = partitions.find((partition2) => partition2.id === "aws");
  if (!DEFAULT_PARTITION) {
    throw new Error("Provided region was not found in the partition array or regex, and default partition with id 'aws' doesn't exist.");
  }
  return {
    ...DEFAULT_PARTITION.outputs
  };
};
var getUserAgentPrefix = () => selectedUserAgentPrefix;

// node_modules/@smithy/core/dist-es/submodules/retry/middleware-retry/isStreamingPayload/isStreamingPayload.js
var import_node_stream2 = require("node:stream");
var isStreamingPayload = (request) => request?.body instanceof import_node_stream2.Readable || typeof ReadableStream !== "undefined" && request?.body instanceof ReadableStream;

// node_modules/@smithy/core/dist-es/submodules/retry/service-error-classification/constants.js
var THROTTLING_ERROR_CODES = [
  "BandwidthLimitExceeded",
  "EC2ThrottledException",
  "LimitExceededException",
  "PriorRequestNotComplete",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "RequestThrottledException",
  "SlowDown",
  "ThrottledException",
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
  "TransactionInProgressException"
];
var TRANSIENT_ERROR_CODES = ["TimeoutError", "RequestTimeout", "RequestTimeoutException"];
var TRANSIENT_ERROR_STATUS_CODES = [500, 502, 503, 504];
var NODEJS_TIMEOUT_ERROR_CODES = ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"];
var NODEJS_NETWORK_ERROR_CODES = ["EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"];

// node_modules/@smithy/core/dist-es/submodules/retry/service-error-classification/service-error-classification.js
var isRetryableByTrait = (error) => error?.$retryable !== void 0;
var isClockSkewCorrectedError = (error) => error.$metadata?.clockSkewCorrected;
var isBrowserNetworkError = (error) => {
  const errorMessages = /* @__PURE__ */ new Set([
    "Failed to fetch",
    "NetworkError when attempting to fetch resource",
    "The Internet connection appears to be offline",
    "Load failed",
    "Network request failed"
  ]);
  const isValid = error && error instanceof TypeError;
  if (!isValid) {
    return false;
  }
  return errorMessages.has(error.message);
};
var isThrottlingError = (error) => error.$metadata?.httpStatusCode === 429 || THROTTLING_ERROR_CODES.includes(error.name) || error.$retryable?.throttling == true;
var isTransientError = (error, depth = 0) => error?.name !== "AbortError" && (isRetryableByTrait(error) || isClockSkewCorrectedError(error) || error.name === "InvalidSignatureException" && error.message?.includes("Signature expired") || TRANSIENT_ERROR_CODES.includes(error.name) || NODEJS_TIMEOUT_ERROR_CODES.includes(error?.code || "") || NODEJS_NETWORK_ERROR_CODES.includes(error?.code || "") || TRANSIENT_ERROR_STATUS_CODES.includes(error.$metadata?.httpStatusCode || 0) || isBrowserNetworkError(error) || isNodeJsHttp2TransientError(error) || error.cause !== void 0 && depth <= 10 && isTransientError(error.cause, depth + 1));
var isServerError = (error) => {
  if (error.$metadata?.httpStatusCode !== void 0) {
    const statusCode = error.$metadata.httpStatusCode;
    if (500 <= statusCode && statusCode <= 599 && !isTransientError(error)) {
      return true;
    }
    return false;
  }
  return false;
};
function isNodeJsHttp2TransientError(error) {
  return error.code === "ERR_HTTP2_STREAM_ERROR" && error.message.includes("NGHTTP2_REFUSED_STREAM");
}

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/race.js
var race = (promise, signal) => {
  if (!signal) {
    return promise;
  }
  let cleanup = () => {
  };
  const aborted = new Promise((_, reject) => {
    const handler = () => reject(createAbortError());
    if (signal.aborted) {
      handler();
    } else if (typeof signal.addEventListener === "function") {
      signal.addEventListener("abort", handler, { once: true });
      cleanup = () => signal.removeEventListener("abort", handler);
    } else {
      signal.onabort = handler;
    }
  });
  return Promise.race([promise, aborted]).finally(cleanup);
};
var createAbortError = () => Object.assign(new Error("Request aborted"), { name: "AbortError" });
var isAbortError = (error) => typeof error === "object" && error !== null && "name" in error && error.name === "AbortError";

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/constants.js
var MAXIMUM_RETRY_DELAY = 20 * 1e3;
var INITIAL_RETRY_TOKENS = 500;
var NO_RETRY_INCREMENT = 1;
var INVOCATION_ID_HEADER = "amz-sdk-invocation-id";
var REQUEST_HEADER = "amz-sdk-request";

// node_modules/@smithy/core/dist-es/submodules/retry/middleware-retry/parseRetryAfterHeader.js
function parseRetryAfterHeader(response, logger) {
  if (!HttpResponse.isInstance(response)) {
    return;
  }
  for (const header in response.headers) {
    if (!hasOwn(response.headers, header)) {
      continue;
    }
    const h3 = header.toLowerCase();
    if (h3 === "retry-after") {
      const retryAfter = response.headers[header];
      let retryAfterSeconds = NaN;
      if (retryAfter.endsWith("GMT")) {
        try {
          const date2 = unsupported(retryAfter);
          retryAfterSeconds = (date2.getTime() - Date.now()) / 1e3;
        } catch (e3) {
          logger?.trace?.("Failed to parse retry-after header");
          logger?.trace?.(e3);
        }
      } else if (retryAfter.match(/ GMT, ((\d+)|(\d+\.\d+))$/)) {
        retryAfterSeconds = Number(retryAfter.match(/ GMT, ([\d.]+)$/)?.[1]);
      } else if (retryAfter.match(/^((\d+)|(\d+\.\d+))$/)) {
        retryAfterSeconds = Number(retryAfter);
      } else if (Date.parse(retryAfter) >= Date.now()) {
        retryAfterSeconds = (Date.parse(retryAfter) - Date.now()) / 1e3;
      }
      if (isNaN(retryAfterSeconds)) {
        return;
      }
      return new Date(Date.now() + retryAfterSeconds * 1e3);
    } else if (h3 === "x-amz-retry-after") {
      const v2 = response.headers[header];
      const backoffMilliseconds = Number(v2);
      if (isNaN(backoffMilliseconds)) {
        logger?.trace?.(`Failed to parse x-amz-retry-after=${v2}`);
        return;
      }
      return new Date(Date.now() + backoffMilliseconds);
    }
  }
}

// node_modules/@smithy/core/dist-es/submodules/retry/middleware-retry/util.js
var asSdkError = (error) => {
  if (error instanceof Error) {
    return error;
  }
  if (error instanceof Object) {
    return Object.assign(new Error(), error);
  }
  if (typeof error === "string") {
    return new Error(error);
  }
  return new Error(`AWS SDK error wrapper for ${error}`);
};

// node_modules/@smithy/core/dist-es/submodules/retry/middleware-retry/retryMiddleware.js
function bindRetryMiddleware(isStreamingPayload2) {
  return (options) => (next, context) => async (args) => {
    let retryStrategy = await options.retryStrategy();
    const maxAttempts = await options.maxAttempts();
    const abortSignal = context[SMITHY_CONTEXT_KEY]?.abortSignal;
    if (isRetryStrategyV2(retryStrategy)) {
      retryStrategy = retryStrategy;
      const retryTokenScope = (context["partition_id"] ?? "") + (context.__retryLongPoll ? ":longpoll" : "");
      let retryToken = await race(retryStrategy.acquireInitialRetryToken(retryTokenScope), abortSignal);
      let lastError = new Error();
      let attempts = 0;
      let totalRetryDelay = 0;
      const { request } = args;
      const isRequest = HttpRequest.isInstance(request);
      if (isRequest) {
        request.headers[INVOCATION_ID_HEADER] = v4();
      }
      while (true) {
        try {
          if (isRequest) {
            request.headers[REQUEST_HEADER] = `attempt=${attempts + 1}; max=${maxAttempts}`;
          }
          const { response, output } = await next(args);
          retryStrategy.recordSuccess(retryToken);
          output.$metadata.attempts = attempts + 1;
          output.$metadata.totalRetryDelay = totalRetryDelay;
          return { response, output };
        } catch (e3) {
          const retryErrorInfo = getRetryErrorInfo(e3, options.logger);
          lastError = asSdkError(e3);
          if (isRequest && isStreamingPayload2(request)) {
            (context.logger instanceof NoOpLogger ? console : context.logger)?.warn("An error was encountered in a non-retryable streaming request.");
            throw lastError;
          }
          try {
            retryToken = await race(retryStrategy.refreshRetryTokenForRetry(retryToken, retryErrorInfo), abortSignal);
          } catch (refreshError) {
            if (abortSignal?.aborted && isAbortError(refreshError)) {
              throw refreshError;
            }
            if (!lastError.$metadata) {
              lastError.$metadata = {};
            }
            lastError.$metadata.attempts = attempts + 1;
            lastError.$metadata.totalRetryDelay = totalRetryDelay;
            throw lastError;
          }
          attempts = retryToken.getRetryCount();
          const delay = retryToken.getRetryDelay();
          totalRetryDelay += (retryToken?.$retryLog?.acquisitionDelay ?? 0) + delay;
          if (delay > 0) {
            await race(new Promise((resolve) => setTimeout(resolve, delay)), abortSignal);
          }
        }
      }
    } else {
      retryStrategy = retryStrategy;
      if (retryStrategy?.mode) {
        context.userAgent = [...context.userAgent || [], ["cfg/retry-mode", retryStrategy.mode]];
      }
      return retryStrategy.retry(next, args);
    }
  };
}
var isRetryStrategyV2 = (retryStrategy) => typeof retryStrategy.acquireInitialRetryToken !== "undefined" && typeof retryStrategy.refreshRetryTokenForRetry !== "undefined" && typeof retryStrategy.recordSuccess !== "undefined";
var getRetryErrorInfo = (error, logger) => {
  const errorInfo = {
    error,
    errorType: getRetryErrorType(error)
  };
  const retryAfterHint = parseRetryAfterHeader(error.$response, logger);
  if (retryAfterHint) {
    errorInfo.retryAfterHint = retryAfterHint;
  }
  return errorInfo;
};
var getRetryErrorType = (error) => {
  if (isThrottlingError(error)) {
    return "THROTTLING";
  }
  if (isTransientError(error)) {
    return "TRANSIENT";
  }
  if (isServerError(error)) {
    return "SERVER_ERROR";
  }
  return "CLIENT_ERROR";
};
var retryMiddlewareOptions = {
  name: "retryMiddleware",
  tags: ["RETRY"],
  step: "finalizeRequest",
  priority: "high",
  override: true
};
function bindGetRetryPlugin(isStreamingPayload2) {
  const retryMiddleware2 = bindRetryMiddleware(isStreamingPayload2);
  return (options) => ({
    applyToStack: (clientStack) => {
      clientStack.add(retryMiddleware2(options), retryMiddlewareOptions);
    }
  });
}

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/DefaultRateLimiter.js
var Unsupported2 = class {
  constructor() {
    throw new Error("This class of the SDK is not part of the bundles.");
  }
};

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/retries-2026-config.js
var Retry = class {
  static v2026 = true;
  static delay() {
    return 50;
  }
  static throttlingDelay() {
    return 1e3;
  }
  static cost() {
    return 14;
  }
  static throttlingCost() {
    return 5;
  }
  static modifiedCostType() {
    return "THROTTLING";
  }
};

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/DefaultRetryBackoffStrategy.js
var DefaultRetryBackoffStrategy = class {
  x = Retry.delay();
  computeNextBackoffDelay(i3) {
    const b3 = Math.random();
    const r3 = 2;
    const t_i = b3 * Math.min(this.x * r3 ** i3, MAXIMUM_RETRY_DELAY);
    return Math.floor(t_i);
  }
  setDelayBase(delay) {
    this.x = delay;
  }
};

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/DefaultRetryToken.js
var DefaultRetryToken = class {
  delay;
  count;
  cost;
  longPoll;
  $retryLog = {
    acquisitionDelay: 0
  };
  constructor(delay, count, cost, longPoll) {
    this.delay = delay;
    this.count = count;
    this.cost = cost;
    this.longPoll = longPoll;
  }
  getRetryCount() {
    return this.count;
  }
  getRetryDelay() {
    return Math.min(MAXIMUM_RETRY_DELAY, this.delay);
  }
  getRetryCost() {
    return this.cost;
  }
  isLongPoll() {
    return this.longPoll;
  }
};

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/config.js
var RETRY_MODES;
(function(RETRY_MODES2) {
  RETRY_MODES2["STANDARD"] = "standard";
  RETRY_MODES2["ADAPTIVE"] = "adaptive";
})(RETRY_MODES || (RETRY_MODES = {}));
var DEFAULT_MAX_ATTEMPTS = 3;
var DEFAULT_RETRY_MODE = RETRY_MODES.STANDARD;

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/StandardRetryStrategy.js
var refusal = {
  incompatible: 1,
  attempts: 2,
  capacity: 3
};
var StandardRetryStrategy = class {
  mode = RETRY_MODES.STANDARD;
  retryBackoffStrategy;
  capacity = INITIAL_RETRY_TOKENS;
  maxAttemptsProvider;
  baseDelay;
  constructor(arg1) {
    if (typeof arg1 === "number") {
      this.maxAttemptsProvider = async () => arg1;
    } else if (typeof arg1 === "function") {
      this.maxAttemptsProvider = arg1;
    } else if (arg1 && typeof arg1 === "object") {
      this.maxAttemptsProvider = async () => arg1.maxAttempts;
      this.baseDelay = arg1.baseDelay;
      this.retryBackoffStrategy = arg1.backoff;
    }
    this.maxAttemptsProvider ??= async () => DEFAULT_MAX_ATTEMPTS;
    this.baseDelay ??= Retry.delay();
    this.retryBackoffStrategy ??= new DefaultRetryBackoffStrategy();
  }
  async acquireInitialRetryToken(retryTokenScope) {
    return new DefaultRetryToken(Retry.delay(), 0, void 0, retryTokenScope.includes(":longpoll"));
  }
  async refreshRetryTokenForRetry(token, errorInfo) {
    const maxAttempts = await this.getMaxAttempts();
    const retryCode = this.retryCode(token, errorInfo, maxAttempts);
    const shouldRetry = retryCode === 0;
    const isLongPoll = token.isLongPoll?.();
    if (shouldRetry || isLongPoll) {
      const errorType = errorInfo.errorType;
      this.retryBackoffStrategy.setDelayBase(errorType === "THROTTLING" ? Retry.throttlingDelay() : this.baseDelay);
      const delayFromErrorType = this.retryBackoffStrategy.computeNextBackoffDelay(token.getRetryCount());
      let retryDelay = delayFromErrorType;
      if (errorInfo.retryAfterHint instanceof Date) {
        retryDelay = Math.max(delayFromErrorType, Math.min(errorInfo.retryAfterHint.getTime() - Date.now(), delayFromErrorType + 5e3));
      }
      if (!shouldRetry) {
        const longPollBackoff = retryCode === refusal.capacity && isLongPoll ? retryDelay : 0;
        if (longPollBackoff > 0) {
          await new Promise((r3) => setTimeout(r3, longPollBackoff));
        }
      } else {
        const capacityCost = this.getCapacityCost(errorType);
        this.capacity -= capacityCost;
        const nextToken = new DefaultRetryToken(0, token.getRetryCount() + 1, capacityCost, token.isLongPoll?.() ?? false);
        await new Promise((r3) => setTimeout(r3, retryDelay));
        nextToken.$retryLog.acquisitionDelay = retryDelay;
        return nextToken;
      }
    }
    throw new Error("No retry token available");
  }
  recordSuccess(token) {
    this.capacity = Math.min(INITIAL_RETRY_TOKENS, this.capacity + (token.getRetryCost() ?? NO_RETRY_INCREMENT));
  }
  getCapacity() {
    return this.capacity;
  }
  async maxAttempts() {
    return this.maxAttemptsProvider();
  }
  async getMaxAttempts() {
    try {
      return await this.maxAttemptsProvider();
    } catch (ignored) {
      console.warn(`Max attempts provider could not resolve. Using default of ${DEFAULT_MAX_ATTEMPTS}`);
      return DEFAULT_MAX_ATTEMPTS;
    }
  }
  retryCode(tokenToRenew, errorInfo, maxAttempts) {
    const attempts = tokenToRenew.getRetryCount() + 1;
    const retryableStatus = this.isRetryableError(errorInfo.errorType) ? 0 : refusal.incompatible;
    const attemptStatus = attempts < maxAttempts ? 0 : refusal.attempts;
    const capacityStatus = this.capacity >= this.getCapacityCost(errorInfo.errorType) ? 0 : refusal.capacity;
    return retryableStatus || attemptStatus || capacityStatus;
  }
  getCapacityCost(errorType) {
    return errorType === Retry.modifiedCostType() ? Retry.throttlingCost() : Retry.cost();
  }
  isRetryableError(errorType) {
    return errorType === "THROTTLING" || errorType === "TRANSIENT";
  }
};

// node_modules/@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js
var AdaptiveRetryStrategy = class {
  mode = RETRY_MODES.ADAPTIVE;
  rateLimiter;
  standardRetryStrategy;
  constructor(maxAttemptsProvider, options) {
    const { rateLimiter } = options ?? {};
    this.rateLimiter = rateLimiter ?? new Unsupported2();
    this.standardRetryStrategy = options ? new StandardRetryStrategy({
      maxAttempts: typeof maxAttemptsProvider === "number" ? maxAttemptsProvider : 3,
      ...options
    }) : new StandardRetryStrategy(maxAttemptsProvider);
  }
  async acquireInitialRetryToken(retryTokenScope) {
    const token = await this.standardRetryStrategy.acquireInitialRetryToken(retryTokenScope);
    await this.rateLimiter.getSendToken();
    return token;
  }
  async refreshRetryTokenForRetry(tokenToRenew, errorInfo) {
    this.rateLimiter.updateClientSendingRate(errorInfo);
    const token = await this.standardRetryStrategy.refreshRetryTokenForRetry(tokenToRenew, errorInfo);
    await this.rateLimiter.getSendToken();
    return token;
  }
  recordSuccess(token) {
    this.rateLimiter.updateClientSendingRate({});
    this.standardRetryStrategy.recordSuccess(token);
  }
  async maxAttemptsProvider() {
    return this.standardRetryStrategy.maxAttempts();
  }
};

// node_modules/@smithy/core/dist-es/submodules/retry/middleware-retry/configurations.js
var ENV_MAX_ATTEMPTS = "AWS_MAX_ATTEMPTS";
var CONFIG_MAX_ATTEMPTS = "max_attempts";
var NODE_MAX_ATTEMPT_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => {
    const value = env2[ENV_MAX_ATTEMPTS];
    if (!value) {
      return void 0;
    }
    const maxAttempt = parseInt(value);
    if (Number.isNaN(maxAttempt)) {
      throw new Error(`Environment variable ${ENV_MAX_ATTEMPTS} mast be a number, got "${value}"`);
    }
    return maxAttempt;
  },
  configFileSelector: (profile) => {
    const value = profile[CONFIG_MAX_ATTEMPTS];
    if (!value) {
      return void 0;
    }
    const maxAttempt = parseInt(value);
    if (Number.isNaN(maxAttempt)) {
      throw new Error(`Shared config file entry ${CONFIG_MAX_ATTEMPTS} mast be a number, got "${value}"`);
    }
    return maxAttempt;
  },
  default: DEFAULT_MAX_ATTEMPTS
};
var resolveRetryConfig = (input, defaults) => {
  const { retryStrategy, retryMode } = input;
  const { defaultMaxAttempts = DEFAULT_MAX_ATTEMPTS, defaultBaseDelay = Retry.delay() } = defaults ?? {};
  const maxAttemptsProvider = normalizeProvider(input.maxAttempts ?? defaultMaxAttempts);
  let controller = retryStrategy ? Promise.resolve(retryStrategy) : void 0;
  const getDefault = async () => {
    const maxAttempts = await maxAttemptsProvider();
    const adaptive = await normalizeProvider(retryMode)() === RETRY_MODES.ADAPTIVE;
    if (adaptive) {
      return new AdaptiveRetryStrategy(maxAttemptsProvider, {
        maxAttempts,
        baseDelay: defaultBaseDelay
      });
    }
    return new StandardRetryStrategy({
      maxAttempts,
      baseDelay: defaultBaseDelay
    });
  };
  return Object.assign(input, {
    maxAttempts: maxAttemptsProvider,
    retryStrategy: () => controller ??= getDefault()
  });
};
var ENV_RETRY_MODE = "AWS_RETRY_MODE";
var CONFIG_RETRY_MODE = "retry_mode";
var NODE_RETRY_MODE_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => env2[ENV_RETRY_MODE],
  configFileSelector: (profile) => profile[CONFIG_RETRY_MODE],
  default: DEFAULT_RETRY_MODE
};

// node_modules/@smithy/core/dist-es/submodules/retry/index.js
var retryMiddleware = bindRetryMiddleware(isStreamingPayload);
var getRetryPlugin = bindGetRetryPlugin(isStreamingPayload);

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/check-features.js
var ACCOUNT_ID_ENDPOINT_REGEX = /\d{12}\.ddb/;
async function checkFeatures(context, config, args) {
  const request = args.request;
  if (request?.headers?.["smithy-protocol"] === "rpc-v2-cbor") {
    setFeature(context, "PROTOCOL_RPC_V2_CBOR", "M");
  }
  if (typeof config.retryStrategy === "function") {
    const retryStrategy = await config.retryStrategy();
    if (typeof retryStrategy.mode === "string") {
      switch (retryStrategy.mode) {
        case RETRY_MODES.ADAPTIVE:
          setFeature(context, "RETRY_MODE_ADAPTIVE", "F");
          break;
        case RETRY_MODES.STANDARD:
          setFeature(context, "RETRY_MODE_STANDARD", "E");
          break;
      }
    }
  }
  if (typeof config.accountIdEndpointMode === "function") {
    const endpointV2 = context.endpointV2;
    if (String(endpointV2?.url?.hostname).match(ACCOUNT_ID_ENDPOINT_REGEX)) {
      setFeature(context, "ACCOUNT_ID_ENDPOINT", "O");
    }
    switch (await config.accountIdEndpointMode?.()) {
      case "disabled":
        setFeature(context, "ACCOUNT_ID_MODE_DISABLED", "Q");
        break;
      case "preferred":
        setFeature(context, "ACCOUNT_ID_MODE_PREFERRED", "P");
        break;
      case "required":
        setFeature(context, "ACCOUNT_ID_MODE_REQUIRED", "R");
        break;
    }
  }
  const identity = context.__smithy_context?.selectedHttpAuthScheme?.identity;
  if (identity?.$source) {
    const credentials = identity;
    if (credentials.accountId) {
      setFeature(context, "RESOLVED_ACCOUNT_ID", "T");
    }
    for (const [key, value] of Object.entries(credentials.$source ?? {})) {
      setFeature(context, key, value);
    }
  }
}

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/constants.js
var USER_AGENT = "user-agent";
var X_AMZ_USER_AGENT = "x-amz-user-agent";
var SPACE = " ";
var UA_NAME_SEPARATOR = "/";
var UA_NAME_ESCAPE_REGEX = /[^!$%&'*+\-.^_`|~\w]/g;
var UA_VALUE_ESCAPE_REGEX = /[^!$%&'*+\-.^_`|~\w#]/g;
var UA_ESCAPE_CHAR = "-";

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/encode-features.js
var BYTE_LIMIT = 1024;
function encodeFeatures(features) {
  let buffer = "";
  for (const key in features) {
    const val = features[key];
    if (buffer.length + val.length + 1 <= BYTE_LIMIT) {
      if (buffer.length) {
        buffer += "," + val;
      } else {
        buffer += val;
      }
      continue;
    }
    break;
  }
  return buffer;
}

// node_modules/@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/user-agent-middleware.js
var userAgentMiddleware = (options) => (next, context) => async (args) => {
  const { request } = args;
  if (!HttpRequest.isInstance(request)) {
    return next(args);
  }
  const { headers } = request;
  const userAgent = context?.userAgent?.map(escapeUserAgent) || [];
  const defaultUserAgent2 = (await options.defaultUserAgentProvider()).map(escapeUserAgent);
  await checkFeatures(context, options, args);
  const awsContext = context;
  defaultUserAgent2.push(`m/${encodeFeatures(Object.assign({}, context.__smithy_context?.features, awsContext.__aws_sdk_context?.features))}`);
  const customUserAgent = options?.customUserAgent?.map(escapeUserAgent) || [];
  const appId = await options.userAgentAppId();
  if (appId) {
    defaultUserAgent2.push(escapeUserAgent([`app`, `${appId}`]));
  }
  const prefix = getUserAgentPrefix();
  const sdkUserAgentValue = (prefix ? [prefix] : []).concat([...defaultUserAgent2, ...userAgent, ...customUserAgent]).join(SPACE);
  const normalUAValue = [
    ...defaultUserAgent2.filter((section) => section.startsWith("aws-sdk-")),
    ...customUserAgent
  ].join(SPACE);
  if (options.runtime !== "browser") {
    if (normalUAValue) {
      headers[X_AMZ_USER_AGENT] = headers[X_AMZ_USER_AGENT] ? `${headers[USER_AGENT]} ${normalUAValue}` : normalUAValue;
    }
    headers[USER_AGENT] = sdkUserAgentValue;
  } else {
    headers[X_AMZ_USER_AGENT] = sdkUserAgentValue;
  }
  return next({
    ...args,
    request
  });
};
var escapeUserAgent = (userAgentPair) => {
  const name = userAgentPair[0].split(UA_NAME_SEPARATOR).map((part) => part.replace(UA_NAME_ESCAPE_REGEX, UA_ESCAPE_CHAR)).join(UA_NAME_SEPARATOR);
  const version = userAgentPair[1]?.replace(UA_VALUE_ESCAPE_REGEX, UA_ESCAPE_CHAR);
  const prefixSeparatorIndex = name.indexOf(UA_NAME_SEPARATOR);
  const prefix = name.substring(0, prefixSeparatorIndex);
  let uaName = name.substring(prefixSeparatorIndex + 1);
  if (prefix === "api") {
    uaName = uaName.toLowerCase();
  }
  return [prefix, uaName, version].filter((item) => item && item.length > 0).reduce((acc, item, index) => {
    switch (index) {
      case 0:
        return item;
      case 1:
        return `${acc}/${item}`;
      default:
        return `${acc}#${item}`;
    }
  }, "");
};
var getUserAgentMiddlewareOptions = {
  name: "getUserAgentMiddleware",
  step: "build",
  priority: "low",
  tags: ["SET_USER_AGENT", "USER_AGENT"],
  override: true
};
var getUserAgentPlugin = (config) => ({
  applyToStack: (clientStack) => {
    clientStack.add(userAgentMiddleware(config), getUserAgentMiddlewareOptions);
  }
});

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/defaultUserAgent.js
var import_node_os2 = require("node:os");
var import_node_process2 = require("node:process");

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/getRuntimeUserAgentPair.js
var import_node_process = require("node:process");
var getRuntimeUserAgentPair = () => {
  const runtimesToCheck = ["deno", "bun", "llrt"];
  for (const runtime of runtimesToCheck) {
    if (import_node_process.versions[runtime]) {
      return [`md/${runtime}`, import_node_process.versions[runtime]];
    }
  }
  return ["md/nodejs", import_node_process.versions.node];
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/crt-availability.js
var crtAvailability = {
  isCrtAvailable: false
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/is-crt-available.js
var isCrtAvailable = () => {
  if (crtAvailability.isCrtAvailable) {
    return ["md/crt-avail"];
  }
  return null;
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/defaultUserAgent.js
var createDefaultUserAgentProvider = ({ serviceId, clientVersion }) => {
  const runtimeUserAgentPair = getRuntimeUserAgentPair();
  return async (config) => {
    const sections = [
      ["aws-sdk-js", clientVersion],
      ["ua", "2.1"],
      [`os/${(0, import_node_os2.platform)()}`, (0, import_node_os2.release)()],
      ["lang/js"],
      runtimeUserAgentPair
    ];
    const crtAvailable = isCrtAvailable();
    if (crtAvailable) {
      sections.push(crtAvailable);
    }
    if (serviceId) {
      sections.push([`api/${serviceId}`, clientVersion]);
    }
    if (import_node_process2.env.AWS_EXECUTION_ENV) {
      sections.push([`exec-env/${import_node_process2.env.AWS_EXECUTION_ENV}`]);
    }
    const appId = await config?.userAgentAppId?.();
    const resolvedUserAgent = appId ? [...sections, [`app/${appId}`]] : [...sections];
    return resolvedUserAgent;
  };
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-user-agent-node/nodeAppIdConfigOptions.js
var UA_APP_ID_ENV_NAME = "AWS_SDK_UA_APP_ID";
var UA_APP_ID_INI_NAME = "sdk_ua_app_id";
var UA_APP_ID_INI_NAME_DEPRECATED = "sdk-ua-app-id";
var NODE_APP_ID_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => env2[UA_APP_ID_ENV_NAME],
  configFileSelector: (profile) => profile[UA_APP_ID_INI_NAME] ?? profile[UA_APP_ID_INI_NAME_DEPRECATED],
  default: DEFAULT_UA_APP_ID
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/isVirtualHostableS3Bucket.js
var isVirtualHostableS3Bucket = (value, allowSubDomains = false) => {
  if (allowSubDomains) {
    for (const label of value.split(".")) {
      if (!isVirtualHostableS3Bucket(label)) {
        return false;
      }
    }
    return true;
  }
  if (!isValidHostLabel(value)) {
    return false;
  }
  if (value.length < 3 || value.length > 63) {
    return false;
  }
  if (value !== value.toLowerCase()) {
    return false;
  }
  if (isIpAddress(value)) {
    return false;
  }
  return true;
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/parseArn.js
var ARN_DELIMITER = ":";
var RESOURCE_DELIMITER = "/";
var parseArn = (value) => {
  const segments = value.split(ARN_DELIMITER);
  if (segments.length < 6) {
    return null;
  }
  const [arn, partition2, service, region, accountId2, ...resourcePath] = segments;
  if (arn !== "arn" || partition2 === "" || service === "" || resourcePath.join(ARN_DELIMITER) === "") {
    return null;
  }
  const resourceId = resourcePath.map((resource) => resource.split(RESOURCE_DELIMITER)).flat();
  return {
    partition: partition2,
    service,
    region,
    accountId: accountId2,
    resourceId
  };
};

// node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/aws.js
var awsEndpointFunctions = {
  isVirtualHostableS3Bucket,
  parseArn,
  partition
};
customEndpointFunctions.aws = awsEndpointFunctions;

// node_modules/@aws-sdk/core/dist-es/submodules/client/region-config-resolver/extensions.js
var getAwsRegionExtensionConfiguration = (runtimeConfig) => {
  return {
    setRegion(region) {
      runtimeConfig.region = region;
    },
    region() {
      return runtimeConfig.region;
    }
  };
};
var resolveAwsRegionExtensionConfiguration = (awsRegionExtensionConfiguration) => {
  return {
    region: awsRegionExtensionConfiguration.region()
  };
};

// node_modules/@aws-sdk/middleware-endpoint-discovery/dist-es/configurations.js
var ENV_ENDPOINT_DISCOVERY = ["AWS_ENABLE_ENDPOINT_DISCOVERY", "AWS_ENDPOINT_DISCOVERY_ENABLED"];
var CONFIG_ENDPOINT_DISCOVERY = "endpoint_discovery_enabled";
var isFalsy = (value) => ["false", "0"].indexOf(value) >= 0;
var NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => {
    for (let i3 = 0; i3 < ENV_ENDPOINT_DISCOVERY.length; i3++) {
      const envKey = ENV_ENDPOINT_DISCOVERY[i3];
      if (envKey in env2) {
        const value = env2[envKey];
        if (value === "") {
          throw Error(`Environment variable ${envKey} can't be empty of undefined, got "${value}"`);
        }
        return !isFalsy(value);
      }
    }
  },
  configFileSelector: (profile) => {
    if (CONFIG_ENDPOINT_DISCOVERY in profile) {
      const value = profile[CONFIG_ENDPOINT_DISCOVERY];
      if (value === void 0) {
        throw Error(`Shared config entry ${CONFIG_ENDPOINT_DISCOVERY} can't be undefined, got "${value}"`);
      }
      return !isFalsy(value);
    }
  },
  default: void 0
};

// node_modules/@aws-sdk/endpoint-cache/dist-es/index.js
var EndpointCache3 = class {
};

// node_modules/@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js
var resolveEndpointDiscoveryConfig = (input, { endpointDiscoveryCommandCtor }) => {
  const { endpointCacheSize, endpointDiscoveryEnabled, endpointDiscoveryEnabledProvider } = input;
  return Object.assign(input, {
    endpointDiscoveryCommandCtor,
    endpointCache: new EndpointCache3(endpointCacheSize ?? 1e3),
    endpointDiscoveryEnabled: endpointDiscoveryEnabled !== void 0 ? () => Promise.resolve(endpointDiscoveryEnabled) : endpointDiscoveryEnabledProvider,
    isClientEndpointDiscoveryEnabled: endpointDiscoveryEnabled !== void 0
  });
};

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/utils/getDateHeader.js
var getDateHeader = (response) => HttpResponse.isInstance(response) ? response.headers?.date ?? response.headers?.Date : void 0;
var getAgeHeader = (response) => HttpResponse.isInstance(response) ? response.headers?.age ?? response.headers?.Age : void 0;

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/utils/getSkewCorrectedDate.js
var getSkewCorrectedDate = (systemClockOffset) => new Date(Date.now() + systemClockOffset);

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/utils/getUpdatedSystemClockOffset.js
var getUpdatedSystemClockOffset = (clockTime, currentSystemClockOffset, timeRequestSent, ageHeader) => {
  if (ageHeader !== void 0) {
    return currentSystemClockOffset;
  }
  const serverTime = Date.parse(clockTime);
  if (Number.isNaN(serverTime)) {
    return currentSystemClockOffset;
  }
  const timeResponseReceived = Date.now();
  if (timeRequestSent !== void 0 && timeResponseReceived - timeRequestSent > 9e5) {
    return currentSystemClockOffset;
  }
  return serverTime - timeResponseReceived;
};

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/AwsSdkSigV4Signer.js
var throwSigningPropertyError = (name, property) => {
  if (!property) {
    throw new Error(`Property \`${name}\` is not resolved for AWS SDK SigV4Auth`);
  }
  return property;
};
var hasEventStreamOutput = (signingProperties) => {
  const context = signingProperties.context;
  const eventStream = context?.[SMITHY_CONTEXT_KEY]?.eventStream;
  return eventStream?.output === true;
};
var validateSigningProperties = async (signingProperties) => {
  const context = throwSigningPropertyError("context", signingProperties.context);
  const config = throwSigningPropertyError("config", signingProperties.config);
  const authScheme = context.endpointV2?.properties?.authSchemes?.[0];
  const signerFunction = throwSigningPropertyError("signer", config.signer);
  const signer = await signerFunction(authScheme);
  const signingRegion = signingProperties?.signingRegion;
  const signingRegionSet = signingProperties?.signingRegionSet;
  const signingName = signingProperties?.signingName;
  return {
    config,
    signer,
    signingRegion,
    signingRegionSet,
    signingName
  };
};
var AwsSdkSigV4Signer = class {
  async sign(httpRequest, identity, signingProperties) {
    if (!HttpRequest.isInstance(httpRequest)) {
      throw new Error("The request is not an instance of `HttpRequest` and cannot be signed");
    }
    const validatedProps = await validateSigningProperties(signingProperties);
    const { config, signer } = validatedProps;
    let { signingRegion, signingName } = validatedProps;
    const handlerExecutionContext = signingProperties.context;
    if (handlerExecutionContext?.authSchemes?.length ?? 0 > 1) {
      const [first, second] = handlerExecutionContext.authSchemes;
      if (first?.name === "sigv4a" && second?.name === "sigv4") {
        signingRegion = second?.signingRegion ?? signingRegion;
        signingName = second?.signingName ?? signingName;
      }
    }
    const noSkewCorrection = await config.disableClockSkewCorrection?.() === true;
    signingProperties._disableClockSkewCorrection = noSkewCorrection;
    const skipSkewSampling = noSkewCorrection || hasEventStreamOutput(signingProperties);
    signingProperties._skipClockSkewSampling = skipSkewSampling;
    if (!skipSkewSampling) {
      signingProperties._preRequestSystemClockOffset = config.systemClockOffset;
      signingProperties._requestSentAt = Date.now();
    }
    const signedRequest = await signer.sign(httpRequest, {
      signingDate: noSkewCorrection ? /* @__PURE__ */ new Date() : getSkewCorrectedDate(config.systemClockOffset),
      signingRegion,
      signingService: signingName
    });
    return signedRequest;
  }
  errorHandler(signingProperties) {
    return (error) => {
      const errorException = error;
      if (!signingProperties._skipClockSkewSampling && !signingProperties._disableClockSkewCorrection) {
        const serverTime = errorException.ServerTime ?? getDateHeader(errorException.$response);
        if (serverTime) {
          const config = throwSigningPropertyError("config", signingProperties.config);
          const preRequestOffset = signingProperties._preRequestSystemClockOffset;
          const timeRequestSent = signingProperties._requestSentAt;
          const ageHeader = getAgeHeader(errorException.$response);
          const newOffset = getUpdatedSystemClockOffset(serverTime, config.systemClockOffset, timeRequestSent, ageHeader);
          config.systemClockOffset = newOffset;
          const skewExceedsThreshold = Math.abs(newOffset) >= 24e4;
          const isLocalCorrection = newOffset !== preRequestOffset;
          const isConcurrentCorrection = preRequestOffset !== void 0 && preRequestOffset !== newOffset;
          if (skewExceedsThreshold && (isLocalCorrection || isConcurrentCorrection) && errorException.$metadata) {
            errorException.$metadata.clockSkewCorrected = true;
          }
        }
      }
      throw error;
    };
  }
  successHandler(httpResponse, signingProperties) {
    if (signingProperties._skipClockSkewSampling || signingProperties._disableClockSkewCorrection) {
      return;
    }
    const dateHeader = getDateHeader(httpResponse);
    if (dateHeader) {
      const config = throwSigningPropertyError("config", signingProperties.config);
      const timeRequestSent = signingProperties._requestSentAt;
      const ageHeader = getAgeHeader(httpResponse);
      config.systemClockOffset = getUpdatedSystemClockOffset(dateHeader, config.systemClockOffset, timeRequestSent, ageHeader);
    }
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/utils/getArrayForCommaSeparatedString.js
var getArrayForCommaSeparatedString = (str) => typeof str === "string" && str.length > 0 ? str.split(",").map((item) => item.trim()) : [];

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/utils/getBearerTokenEnvKey.js
var getBearerTokenEnvKey = (signingName) => `AWS_BEARER_TOKEN_${signingName.replace(/[\s-]/g, "_").toUpperCase()}`;

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/NODE_AUTH_SCHEME_PREFERENCE_OPTIONS.js
var NODE_AUTH_SCHEME_PREFERENCE_ENV_KEY = "AWS_AUTH_SCHEME_PREFERENCE";
var NODE_AUTH_SCHEME_PREFERENCE_CONFIG_KEY = "auth_scheme_preference";
var NODE_AUTH_SCHEME_PREFERENCE_OPTIONS = {
  environmentVariableSelector: (env2, options) => {
    if (options?.signingName) {
      const bearerTokenKey = getBearerTokenEnvKey(options.signingName);
      if (bearerTokenKey in env2) {
        return ["httpBearerAuth"];
      }
    }
    if (!(NODE_AUTH_SCHEME_PREFERENCE_ENV_KEY in env2)) {
      return void 0;
    }
    return getArrayForCommaSeparatedString(env2[NODE_AUTH_SCHEME_PREFERENCE_ENV_KEY]);
  },
  configFileSelector: (profile) => {
    if (!(NODE_AUTH_SCHEME_PREFERENCE_CONFIG_KEY in profile)) {
      return void 0;
    }
    return getArrayForCommaSeparatedString(profile[NODE_AUTH_SCHEME_PREFERENCE_CONFIG_KEY]);
  },
  default: []
};

// node_modules/@smithy/signature-v4/dist-es/HeaderFormatter.js
var HeaderFormatter = class {
  format(headers) {
    const chunks = [];
    for (const headerName in headers) {
      if (!hasOwn(headers, headerName)) {
        continue;
      }
      const bytes = fromUtf8(headerName);
      chunks.push(Uint8Array.from([bytes.byteLength]), bytes, this.formatHeaderValue(headers[headerName]));
    }
    const out = new Uint8Array(chunks.reduce((carry, bytes) => carry + bytes.byteLength, 0));
    let position = 0;
    for (const chunk of chunks) {
      out.set(chunk, position);
      position += chunk.byteLength;
    }
    return out;
  }
  formatHeaderValue(header) {
    switch (header.type) {
      case "boolean":
        return Uint8Array.from([header.value ? 0 : 1]);
      case "byte":
        return Uint8Array.from([2, header.value]);
      case "short":
        const shortView = new DataView(new ArrayBuffer(3));
        shortView.setUint8(0, 3);
        shortView.setInt16(1, header.value, false);
        return new Uint8Array(shortView.buffer);
      case "integer":
        const intView = new DataView(new ArrayBuffer(5));
        intView.setUint8(0, 4);
        intView.setInt32(1, header.value, false);
        return new Uint8Array(intView.buffer);
      case "long":
        const longBytes = new Uint8Array(9);
        longBytes[0] = 5;
        longBytes.set(header.value.bytes, 1);
        return longBytes;
      case "binary":
        const binView = new DataView(new ArrayBuffer(3 + header.value.byteLength));
        binView.setUint8(0, 6);
        binView.setUint16(1, header.value.byteLength, false);
        const binBytes = new Uint8Array(binView.buffer);
        binBytes.set(header.value, 3);
        return binBytes;
      case "string":
        const utf8Bytes = fromUtf8(header.value);
        const strView = new DataView(new ArrayBuffer(3 + utf8Bytes.byteLength));
        strView.setUint8(0, 7);
        strView.setUint16(1, utf8Bytes.byteLength, false);
        const strBytes = new Uint8Array(strView.buffer);
        strBytes.set(utf8Bytes, 3);
        return strBytes;
      case "timestamp":
        const tsBytes = new Uint8Array(9);
        tsBytes[0] = 8;
        tsBytes.set(Int64.fromNumber(header.value.valueOf()).bytes, 1);
        return tsBytes;
      case "uuid":
        if (!UUID_PATTERN.test(header.value)) {
          throw new Error(`Invalid UUID received: ${header.value}`);
        }
        const uuidBytes = new Uint8Array(17);
        uuidBytes[0] = 9;
        uuidBytes.set(fromHex(header.value.replace(/-/g, "")), 1);
        return uuidBytes;
    }
  }
};
var HEADER_VALUE_TYPE;
(function(HEADER_VALUE_TYPE2) {
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["boolTrue"] = 0] = "boolTrue";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["boolFalse"] = 1] = "boolFalse";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["byte"] = 2] = "byte";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["short"] = 3] = "short";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["integer"] = 4] = "integer";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["long"] = 5] = "long";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["byteArray"] = 6] = "byteArray";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["string"] = 7] = "string";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["timestamp"] = 8] = "timestamp";
  HEADER_VALUE_TYPE2[HEADER_VALUE_TYPE2["uuid"] = 9] = "uuid";
})(HEADER_VALUE_TYPE || (HEADER_VALUE_TYPE = {}));
var UUID_PATTERN = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/;
var Int64 = class _Int64 {
  bytes;
  constructor(bytes) {
    this.bytes = bytes;
    if (bytes.byteLength !== 8) {
      throw new Error("Int64 buffers must be exactly 8 bytes");
    }
  }
  static fromNumber(number3) {
    if (number3 > 9223372036854776e3 || number3 < -9223372036854776e3) {
      throw new Error(`${number3} is too large (or, if negative, too small) to represent as an Int64`);
    }
    const bytes = new Uint8Array(8);
    for (let i3 = 7, remaining = Math.abs(Math.round(number3)); i3 > -1 && remaining > 0; i3--, remaining /= 256) {
      bytes[i3] = remaining;
    }
    if (number3 < 0) {
      negate(bytes);
    }
    return new _Int64(bytes);
  }
  valueOf() {
    const bytes = this.bytes.slice(0);
    const negative = bytes[0] & 128;
    if (negative) {
      negate(bytes);
    }
    return parseInt(toHex(bytes), 16) * (negative ? -1 : 1);
  }
  toString() {
    return String(this.valueOf());
  }
};
function negate(bytes) {
  for (let i3 = 0; i3 < 8; i3++) {
    bytes[i3] ^= 255;
  }
  for (let i3 = 7; i3 > -1; i3--) {
    bytes[i3]++;
    if (bytes[i3] !== 0) {
      break;
    }
  }
}

// node_modules/@smithy/signature-v4/dist-es/constants.js
var ALGORITHM_QUERY_PARAM = "X-Amz-Algorithm";
var CREDENTIAL_QUERY_PARAM = "X-Amz-Credential";
var AMZ_DATE_QUERY_PARAM = "X-Amz-Date";
var SIGNED_HEADERS_QUERY_PARAM = "X-Amz-SignedHeaders";
var EXPIRES_QUERY_PARAM = "X-Amz-Expires";
var SIGNATURE_QUERY_PARAM = "X-Amz-Signature";
var TOKEN_QUERY_PARAM = "X-Amz-Security-Token";
var AUTH_HEADER = "authorization";
var AMZ_DATE_HEADER = AMZ_DATE_QUERY_PARAM.toLowerCase();
var DATE_HEADER = "date";
var GENERATED_HEADERS = [AUTH_HEADER, AMZ_DATE_HEADER, DATE_HEADER];
var SIGNATURE_HEADER = SIGNATURE_QUERY_PARAM.toLowerCase();
var SHA256_HEADER = "x-amz-content-sha256";
var TOKEN_HEADER = TOKEN_QUERY_PARAM.toLowerCase();
var ALWAYS_UNSIGNABLE_HEADERS = {
  authorization: true,
  "cache-control": true,
  connection: true,
  expect: true,
  from: true,
  "keep-alive": true,
  "max-forwards": true,
  pragma: true,
  referer: true,
  te: true,
  trailer: true,
  "transfer-encoding": true,
  upgrade: true,
  "user-agent": true,
  "x-amzn-trace-id": true
};
var PROXY_HEADER_PATTERN = /^proxy-/;
var SEC_HEADER_PATTERN = /^sec-/;
var ALGORITHM_IDENTIFIER = "AWS4-HMAC-SHA256";
var EVENT_ALGORITHM_IDENTIFIER = "AWS4-HMAC-SHA256-PAYLOAD";
var UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";
var MAX_CACHE_SIZE = 50;
var KEY_TYPE_IDENTIFIER = "aws4_request";
var MAX_PRESIGNED_TTL = 60 * 60 * 24 * 7;

// node_modules/@smithy/signature-v4/dist-es/getCanonicalQuery.js
var getCanonicalQuery = ({ query = {} }) => {
  const keys = [];
  const serialized = {};
  for (const key in query) {
    if (!hasOwn(query, key)) {
      continue;
    }
    if (key.toLowerCase() === SIGNATURE_HEADER) {
      continue;
    }
    const encodedKey = escapeUri(key);
    keys.push(encodedKey);
    const value = query[key];
    if (typeof value === "string") {
      serialized[encodedKey] = `${encodedKey}=${escapeUri(value)}`;
    } else if (Array.isArray(value)) {
      serialized[encodedKey] = value.slice(0).reduce((encoded, value2) => encoded.concat([`${encodedKey}=${escapeUri(value2)}`]), []).sort().join("&");
    }
  }
  return keys.sort().map((key) => serialized[key]).filter((serialized2) => serialized2).join("&");
};

// node_modules/@smithy/signature-v4/dist-es/utilDate.js
var iso8601 = (time) => toDate(time).toISOString().replace(/\.\d{3}Z$/, "Z");
var toDate = (time) => {
  if (typeof time === "number") {
    return new Date(time * 1e3);
  }
  if (typeof time === "string") {
    if (Number(time)) {
      return new Date(Number(time) * 1e3);
    }
    return new Date(time);
  }
  return time;
};

// node_modules/@smithy/signature-v4/dist-es/SignatureV4Base.js
var SignatureV4Base = class {
  service;
  regionProvider;
  credentialProvider;
  sha256;
  uriEscapePath;
  applyChecksum;
  constructor({ applyChecksum, credentials, region, service, sha256, uriEscapePath = true }) {
    this.service = service;
    this.sha256 = sha256;
    this.uriEscapePath = uriEscapePath;
    this.applyChecksum = typeof applyChecksum === "boolean" ? applyChecksum : true;
    this.regionProvider = normalizeProvider(region);
    this.credentialProvider = normalizeProvider(credentials);
  }
  createCanonicalRequest(request, canonicalHeaders, payloadHash) {
    const sortedHeaders = Object.keys(canonicalHeaders).sort();
    return `${request.method}
${this.getCanonicalPath(request)}
${getCanonicalQuery(request)}
${sortedHeaders.map((name) => `${name}:${canonicalHeaders[name]}`).join("\n")}

${sortedHeaders.join(";")}
${payloadHash}`;
  }
  async createStringToSign(longDate, credentialScope, canonicalRequest, algorithmIdentifier) {
    const hash = new this.sha256();
    hash.update(toUint8Array(canonicalRequest));
    const hashedRequest = await hash.digest();
    return `${algorithmIdentifier}
${longDate}
${credentialScope}
${toHex(hashedRequest)}`;
  }
  getCanonicalPath({ path }) {
    if (this.uriEscapePath) {
      const normalizedPathSegments = [];
      for (const pathSegment of path.split("/")) {
        if (pathSegment?.length === 0) {
          continue;
        }
        if (pathSegment === ".") {
          continue;
        }
        if (pathSegment === "..") {
          normalizedPathSegments.pop();
        } else {
          normalizedPathSegments.push(pathSegment);
        }
      }
      const normalizedPath = `${path?.startsWith("/") ? "/" : ""}${normalizedPathSegments.join("/")}${normalizedPathSegments.length > 0 && path?.endsWith("/") ? "/" : ""}`;
      const doubleEncoded = escapeUri(normalizedPath);
      return doubleEncoded.replace(/%2F/g, "/");
    }
    return path;
  }
  validateResolvedCredentials(credentials) {
    if (typeof credentials !== "object" || typeof credentials.accessKeyId !== "string" || typeof credentials.secretAccessKey !== "string") {
      throw new Error("Resolved credential object is not valid");
    }
  }
  formatDate(now) {
    const longDate = iso8601(now).replace(/[-:]/g, "");
    return {
      longDate,
      shortDate: longDate.slice(0, 8)
    };
  }
  getCanonicalHeaderList(headers) {
    return Object.keys(headers).sort().join(";");
  }
};

// node_modules/@smithy/signature-v4/dist-es/credentialDerivation.js
var signingKeyCache = {};
var cacheQueue = [];
var createScope = (shortDate, region, service) => `${shortDate}/${region}/${service}/${KEY_TYPE_IDENTIFIER}`;
var getSigningKey = async (sha256Constructor, credentials, shortDate, region, service) => {
  const credsHash = await hmac(sha256Constructor, credentials.secretAccessKey, credentials.accessKeyId);
  const cacheKey = `${shortDate}:${region}:${service}:${toHex(credsHash)}:${credentials.sessionToken}`;
  if (cacheKey in signingKeyCache) {
    return signingKeyCache[cacheKey];
  }
  cacheQueue.push(cacheKey);
  while (cacheQueue.length > MAX_CACHE_SIZE) {
    delete signingKeyCache[cacheQueue.shift()];
  }
  let key = `AWS4${credentials.secretAccessKey}`;
  for (const signable of [shortDate, region, service, KEY_TYPE_IDENTIFIER]) {
    key = await hmac(sha256Constructor, key, signable);
  }
  return signingKeyCache[cacheKey] = key;
};
var hmac = (ctor, secret, data) => {
  const hash = new ctor(secret);
  hash.update(toUint8Array(data));
  return hash.digest();
};

// node_modules/@smithy/signature-v4/dist-es/getCanonicalHeaders.js
var getCanonicalHeaders = ({ headers }, unsignableHeaders, signableHeaders) => {
  const canonical = {};
  for (const headerName of Object.keys(headers).sort()) {
    if (headers[headerName] == void 0) {
      continue;
    }
    const canonicalHeaderName = headerName.toLowerCase();
    if (hasOwn(ALWAYS_UNSIGNABLE_HEADERS, canonicalHeaderName) || unsignableHeaders?.has(canonicalHeaderName) || PROXY_HEADER_PATTERN.test(canonicalHeaderName) || SEC_HEADER_PATTERN.test(canonicalHeaderName)) {
      if (!signableHeaders || signableHeaders && !signableHeaders.has(canonicalHeaderName)) {
        continue;
      }
    }
    if (canonicalHeaderName === "__proto__") {
      writeKey(canonical);
    }
    canonical[canonicalHeaderName] = headers[headerName].replace(/[\r\n]/g, " ").replace(/[ \t]+/g, " ").replace(/^ | $/g, "");
  }
  return canonical;
};

// node_modules/@smithy/signature-v4/dist-es/getPayloadHash.js
var getPayloadHash = async ({ headers, body }, hashConstructor) => {
  for (const headerName in headers) {
    if (!hasOwn(headers, headerName)) {
      continue;
    }
    if (headerName.toLowerCase() === SHA256_HEADER) {
      return headers[headerName];
    }
  }
  if (body == void 0) {
    return "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  } else if (typeof body === "string" || ArrayBuffer.isView(body) || isArrayBuffer(body)) {
    const hashCtor = new hashConstructor();
    hashCtor.update(toUint8Array(body));
    return toHex(await hashCtor.digest());
  }
  return UNSIGNED_PAYLOAD;
};

// node_modules/@smithy/signature-v4/dist-es/headerUtil.js
var hasHeader = (soughtHeader, headers) => {
  soughtHeader = soughtHeader.toLowerCase();
  for (const headerName in headers) {
    if (!hasOwn(headers, headerName)) {
      continue;
    }
    if (soughtHeader === headerName.toLowerCase()) {
      return true;
    }
  }
  return false;
};

// node_modules/@smithy/signature-v4/dist-es/moveHeadersToQuery.js
var moveHeadersToQuery = (request, options = {}) => {
  const { headers, query = {} } = HttpRequest.clone(request);
  for (const name in headers) {
    if (!hasOwn(headers, name)) {
      continue;
    }
    const lname = name.toLowerCase();
    if (lname.slice(0, 6) === "x-amz-" && !options.unhoistableHeaders?.has(lname) || options.hoistableHeaders?.has(lname)) {
      query[name] = headers[name];
      delete headers[name];
    }
  }
  return {
    ...request,
    headers,
    query
  };
};

// node_modules/@smithy/signature-v4/dist-es/prepareRequest.js
var prepareRequest = (request) => {
  request = HttpRequest.clone(request);
  for (const headerName in request.headers) {
    if (!hasOwn(request.headers, headerName)) {
      continue;
    }
    if (GENERATED_HEADERS.indexOf(headerName.toLowerCase()) > -1) {
      delete request.headers[headerName];
    }
  }
  return request;
};

// node_modules/@smithy/signature-v4/dist-es/SignatureV4.js
var SignatureV4 = class extends SignatureV4Base {
  headerFormatter = new HeaderFormatter();
  constructor({ applyChecksum, credentials, region, service, sha256, uriEscapePath = true }) {
    super({
      applyChecksum,
      credentials,
      region,
      service,
      sha256,
      uriEscapePath
    });
  }
  async presign(originalRequest, options = {}) {
    const { signingDate = /* @__PURE__ */ new Date(), expiresIn = 3600, unsignableHeaders, unhoistableHeaders, signableHeaders, hoistableHeaders, signingRegion, signingService } = options;
    const credentials = await this.credentialProvider();
    this.validateResolvedCredentials(credentials);
    const region = signingRegion ?? await this.regionProvider();
    const { longDate, shortDate } = this.formatDate(signingDate);
    if (expiresIn > MAX_PRESIGNED_TTL) {
      return Promise.reject("Signature version 4 presigned URLs must have an expiration date less than one week in the future");
    }
    const scope = createScope(shortDate, region, signingService ?? this.service);
    const request = moveHeadersToQuery(prepareRequest(originalRequest), { unhoistableHeaders, hoistableHeaders });
    if (credentials.sessionToken) {
      request.query[TOKEN_QUERY_PARAM] = credentials.sessionToken;
    }
    request.query[ALGORITHM_QUERY_PARAM] = ALGORITHM_IDENTIFIER;
    request.query[CREDENTIAL_QUERY_PARAM] = `${credentials.accessKeyId}/${scope}`;
    request.query[AMZ_DATE_QUERY_PARAM] = longDate;
    request.query[EXPIRES_QUERY_PARAM] = expiresIn.toString(10);
    const canonicalHeaders = getCanonicalHeaders(request, unsignableHeaders, signableHeaders);
    request.query[SIGNED_HEADERS_QUERY_PARAM] = this.getCanonicalHeaderList(canonicalHeaders);
    request.query[SIGNATURE_QUERY_PARAM] = await this.getSignature(longDate, scope, this.getSigningKey(credentials, region, shortDate, signingService), this.createCanonicalRequest(request, canonicalHeaders, await getPayloadHash(originalRequest, this.sha256)));
    return request;
  }
  async sign(toSign, options) {
    if (typeof toSign === "string") {
      return this.signString(toSign, options);
    } else if (toSign.headers && toSign.payload) {
      return this.signEvent(toSign, options);
    } else if (toSign.message) {
      return this.signMessage(toSign, options);
    } else {
      return this.signRequest(toSign, options);
    }
  }
  async signEvent({ headers, payload }, { signingDate = /* @__PURE__ */ new Date(), priorSignature, signingRegion, signingService, eventStreamCredentials }) {
    const region = signingRegion ?? await this.regionProvider();
    const { shortDate, longDate } = this.formatDate(signingDate);
    const scope = createScope(shortDate, region, signingService ?? this.service);
    const hashedPayload = await getPayloadHash({ headers: {}, body: payload }, this.sha256);
    const hash = new this.sha256();
    hash.update(headers);
    const hashedHeaders = toHex(await hash.digest());
    const stringToSign = [
      EVENT_ALGORITHM_IDENTIFIER,
      longDate,
      scope,
      priorSignature,
      hashedHeaders,
      hashedPayload
    ].join("\n");
    return this.signString(stringToSign, {
      signingDate,
      signingRegion: region,
      signingService,
      eventStreamCredentials
    });
  }
  async signMessage(signableMessage, { signingDate = /* @__PURE__ */ new Date(), signingRegion, signingService, eventStreamCredentials }) {
    const promise = this.signEvent({
      headers: this.headerFormatter.format(signableMessage.message.headers),
      payload: signableMessage.message.body
    }, {
      signingDate,
      signingRegion,
      signingService,
      priorSignature: signableMessage.priorSignature,
      eventStreamCredentials
    });
    return promise.then((signature) => {
      return { message: signableMessage.message, signature };
    });
  }
  async signString(stringToSign, { signingDate = /* @__PURE__ */ new Date(), signingRegion, signingService, eventStreamCredentials } = {}) {
    const credentials = eventStreamCredentials ?? await this.credentialProvider();
    this.validateResolvedCredentials(credentials);
    const region = signingRegion ?? await this.regionProvider();
    const { shortDate } = this.formatDate(signingDate);
    const hash = new this.sha256(await this.getSigningKey(credentials, region, shortDate, signingService));
    hash.update(toUint8Array(stringToSign));
    return toHex(await hash.digest());
  }
  async signRequest(requestToSign, { signingDate = /* @__PURE__ */ new Date(), signableHeaders, unsignableHeaders, signingRegion, signingService } = {}) {
    const credentials = await this.credentialProvider();
    this.validateResolvedCredentials(credentials);
    const region = signingRegion ?? await this.regionProvider();
    const request = prepareRequest(requestToSign);
    const { longDate, shortDate } = this.formatDate(signingDate);
    const scope = createScope(shortDate, region, signingService ?? this.service);
    request.headers[AMZ_DATE_HEADER] = longDate;
    if (credentials.sessionToken) {
      request.headers[TOKEN_HEADER] = credentials.sessionToken;
    }
    const payloadHash = await getPayloadHash(request, this.sha256);
    if (!hasHeader(SHA256_HEADER, request.headers) && this.applyChecksum) {
      request.headers[SHA256_HEADER] = payloadHash;
    }
    const canonicalHeaders = getCanonicalHeaders(request, unsignableHeaders, signableHeaders);
    const signature = await this.getSignature(longDate, scope, this.getSigningKey(credentials, region, shortDate, signingService), this.createCanonicalRequest(request, canonicalHeaders, payloadHash));
    request.headers[AUTH_HEADER] = `${ALGORITHM_IDENTIFIER} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${this.getCanonicalHeaderList(canonicalHeaders)}, Signature=${signature}`;
    return request;
  }
  async getSignature(longDate, credentialScope, keyPromise, canonicalRequest) {
    const stringToSign = await this.createStringToSign(longDate, credentialScope, canonicalRequest, ALGORITHM_IDENTIFIER);
    const hash = new this.sha256(await keyPromise);
    hash.update(toUint8Array(stringToSign));
    return toHex(await hash.digest());
  }
  getSigningKey(credentials, region, shortDate, service) {
    return getSigningKey(this.sha256, credentials, shortDate, region, service || this.service);
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/resolveAwsSdkSigV4Config.js
var bindResolveAwsSdkSigV4Config = (defaultDisableClockSkewCorrection) => (config) => {
  let inputCredentials = config.credentials;
  let isUserSupplied = !!config.credentials;
  let resolvedCredentials = void 0;
  Object.defineProperty(config, "credentials", {
    set(credentials) {
      if (credentials && credentials !== inputCredentials && credentials !== resolvedCredentials) {
        isUserSupplied = true;
      }
      inputCredentials = credentials;
      const memoizedProvider = normalizeCredentialProvider(config, {
        credentials: inputCredentials,
        credentialDefaultProvider: config.credentialDefaultProvider
      });
      const boundProvider = bindCallerConfig(config, memoizedProvider);
      if (isUserSupplied && !boundProvider.attributed) {
        const isCredentialObject = typeof inputCredentials === "object" && inputCredentials !== null;
        resolvedCredentials = async (options) => {
          const creds = await boundProvider(options);
          const attributedCreds = creds;
          if (isCredentialObject && (!attributedCreds.$source || Object.keys(attributedCreds.$source).length === 0)) {
            return setCredentialFeature(attributedCreds, "CREDENTIALS_CODE", "e");
          }
          return attributedCreds;
        };
        resolvedCredentials.memoized = boundProvider.memoized;
        resolvedCredentials.configBound = boundProvider.configBound;
        resolvedCredentials.attributed = true;
      } else {
        resolvedCredentials = boundProvider;
      }
    },
    get() {
      return resolvedCredentials;
    },
    enumerable: true,
    configurable: true
  });
  config.credentials = inputCredentials;
  const { signingEscapePath = true, systemClockOffset = config.systemClockOffset || 0, sha256 } = config;
  let signer;
  if (config.signer) {
    signer = normalizeProvider2(config.signer);
  } else if (config.regionInfoProvider) {
    signer = () => normalizeProvider2(config.region)().then(async (region) => [
      await config.regionInfoProvider(region, {
        useFipsEndpoint: await config.useFipsEndpoint(),
        useDualstackEndpoint: await config.useDualstackEndpoint()
      }) || {},
      region
    ]).then(([regionInfo, region]) => {
      const { signingRegion, signingService } = regionInfo;
      config.signingRegion = config.signingRegion || signingRegion || region;
      config.signingName = config.signingName || signingService || config.serviceId;
      const params = {
        ...config,
        credentials: config.credentials,
        region: config.signingRegion,
        service: config.signingName,
        sha256,
        uriEscapePath: signingEscapePath
      };
      const SignerCtor = config.signerConstructor || SignatureV4;
      return new SignerCtor(params);
    });
  } else {
    signer = async (authScheme) => {
      authScheme = Object.assign({}, {
        name: "sigv4",
        signingName: config.signingName || config.defaultSigningName,
        signingRegion: await normalizeProvider2(config.region)(),
        properties: {}
      }, authScheme);
      const signingRegion = authScheme.signingRegion;
      const signingService = authScheme.signingName;
      config.signingRegion = config.signingRegion || signingRegion;
      config.signingName = config.signingName || signingService || config.serviceId;
      const params = {
        ...config,
        credentials: config.credentials,
        region: config.signingRegion,
        service: config.signingName,
        sha256,
        uriEscapePath: signingEscapePath
      };
      const SignerCtor = config.signerConstructor || SignatureV4;
      return new SignerCtor(params);
    };
  }
  const resolvedConfig = Object.assign(config, {
    systemClockOffset,
    signingEscapePath,
    signer,
    disableClockSkewCorrection: normalizeProvider2(config.disableClockSkewCorrection ?? defaultDisableClockSkewCorrection)
  });
  return resolvedConfig;
};
function normalizeCredentialProvider(config, { credentials, credentialDefaultProvider }) {
  let credentialsProvider;
  if (credentials) {
    if (!credentials?.memoized) {
      credentialsProvider = memoizeIdentityProvider(credentials, isIdentityExpired, doesIdentityRequireRefresh);
    } else {
      credentialsProvider = credentials;
    }
  } else {
    if (credentialDefaultProvider) {
      credentialsProvider = normalizeProvider2(credentialDefaultProvider(Object.assign({}, config, {
        parentClientConfig: config
      })));
    } else {
      credentialsProvider = async () => {
        throw new Error("@aws-sdk/core::resolveAwsSdkSigV4Config - `credentials` not provided and no credentialDefaultProvider was configured.");
      };
    }
  }
  credentialsProvider.memoized = true;
  return credentialsProvider;
}
function bindCallerConfig(config, credentialsProvider) {
  if (credentialsProvider.configBound) {
    return credentialsProvider;
  }
  const fn = async (options) => credentialsProvider({ ...options, callerClientConfig: config });
  fn.memoized = credentialsProvider.memoized;
  fn.configBound = true;
  return fn;
}

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/clock-skew-node-config.js
var ENV_DISABLE_CLOCK_SKEW_CORRECTION = "AWS_DISABLE_CLOCK_SKEW_CORRECTION";
var CONFIG_DISABLE_CLOCK_SKEW_CORRECTION = "disable_clock_skew_correction";
var NODE_DISABLE_CLOCK_SKEW_CORRECTION_CONFIG_OPTIONS = {
  environmentVariableSelector: (env2) => booleanSelector(env2, ENV_DISABLE_CLOCK_SKEW_CORRECTION, SelectorType.ENV),
  configFileSelector: (profile) => booleanSelector(profile, CONFIG_DISABLE_CLOCK_SKEW_CORRECTION, SelectorType.CONFIG),
  default: false
};

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/clock-skew-defaults.js
var DEFAULT_DISABLE_CLOCK_SKEW_CORRECTION = loadConfig(NODE_DISABLE_CLOCK_SKEW_CORRECTION_CONFIG_OPTIONS);

// node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/index.js
var resolveAwsSdkSigV4Config = bindResolveAwsSdkSigV4Config(DEFAULT_DISABLE_CLOCK_SKEW_CORRECTION);

// node_modules/@aws-sdk/client-dynamodb/dist-es/auth/httpAuthSchemeProvider.js
var defaultDynamoDBHttpAuthSchemeParametersProvider = async (config, context, input) => {
  return {
    operation: getSmithyContext(context).operation,
    region: await normalizeProvider(config.region)() || (() => {
      throw new Error("expected `region` to be configured for `aws.auth#sigv4`");
    })()
  };
};
function createAwsAuthSigv4HttpAuthOption(authParameters) {
  return {
    schemeId: "aws.auth#sigv4",
    signingProperties: {
      name: "dynamodb",
      region: authParameters.region
    },
    propertiesExtractor: (config, context) => ({
      signingProperties: {
        config,
        context
      }
    })
  };
}
var defaultDynamoDBHttpAuthSchemeProvider = (authParameters) => {
  const options = [];
  switch (authParameters.operation) {
    default: {
      options.push(createAwsAuthSigv4HttpAuthOption(authParameters));
    }
  }
  return options;
};
var resolveHttpAuthSchemeConfig = (config) => {
  const config_0 = resolveAwsSdkSigV4Config(config);
  return Object.assign(config_0, {
    authSchemePreference: normalizeProvider(config.authSchemePreference ?? [])
  });
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/endpoint/EndpointParameters.js
var resolveClientEndpointParameters = (options) => {
  return Object.assign(options, {
    useDualstackEndpoint: options.useDualstackEndpoint ?? false,
    useFipsEndpoint: options.useFipsEndpoint ?? false,
    defaultSigningName: "dynamodb"
  });
};
var commonParams = {
  UseFIPS: { type: "builtInParams", name: "useFipsEndpoint" },
  AccountId: { type: "builtInParams", name: "accountId" },
  Endpoint: { type: "builtInParams", name: "endpoint" },
  Region: { type: "builtInParams", name: "region" },
  UseDualStack: { type: "builtInParams", name: "useDualstackEndpoint" },
  AccountIdEndpointMode: { type: "builtInParams", name: "accountIdEndpointMode" }
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commandBuilder.js
var command = makeBuilder(commonParams, "DynamoDB_20120810", "DynamoDBClient", getEndpointPlugin);
var _ep0 = {};
var _ep1 = {
  ResourceArnList: { type: "operationContextParams", get: (input) => Object.keys(input?.RequestItems ?? {}) }
};
var _ep2 = {
  ResourceArn: { type: "contextParams", name: "BulkOperationArn" }
};
var _ep3 = {
  ResourceArn: { type: "contextParams", name: "TableName" }
};
var _ep4 = {
  ResourceArn: { type: "contextParams", name: "GlobalTableName" }
};
var _ep5 = {
  ResourceArn: { type: "contextParams", name: "BackupArn" }
};
var _ep6 = {
  ResourceArn: { type: "contextParams", name: "ResourceArn" }
};
var _ep7 = {
  ResourceArn: { type: "contextParams", name: "ExportArn" }
};
var _ep8 = {
  ResourceArn: { type: "contextParams", name: "ImportArn" }
};
var _ep9 = {
  ResourceArn: { type: "contextParams", name: "TableArn" }
};
var _ep10 = {
  ResourceArn: { type: "operationContextParams", get: (input) => input?.TableCreationParameters?.TableName }
};
var _ep11 = {
  ResourceArn: { type: "contextParams", name: "TargetTableName" }
};
var _ep12 = {
  IsSearchOperation: { type: "staticContextParams", value: true },
  ResourceArn: { type: "contextParams", name: "TableName" }
};
var _ep13 = {
  ResourceArnList: { type: "operationContextParams", get: (input) => input?.TransactItems?.map((obj) => obj?.Get?.TableName) }
};
var _ep14 = {
  ResourceArnList: { type: "operationContextParams", get: (input) => input?.TransactItems?.map((obj) => [obj?.ConditionCheck?.TableName, obj?.Put?.TableName, obj?.Delete?.TableName, obj?.Update?.TableName].filter((i3) => i3)).flat() }
};
var _mw0 = (Command2, cs, config, o2) => [];

// node_modules/@aws-sdk/client-dynamodb/dist-es/models/DynamoDBServiceException.js
var DynamoDBServiceException = class _DynamoDBServiceException extends ServiceException {
  static shapeId = "smithy.ts.sdk.synthetic.com.amazonaws.dynamodb#DynamoDBServiceException";
  constructor(options) {
    super(options);
    Object.setPrototypeOf(this, _DynamoDBServiceException.prototype);
  }
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/models/errors.js
var BackupInUseException = class _BackupInUseException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#BackupInUseException";
  name = "BackupInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "BackupInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _BackupInUseException.prototype);
  }
};
var BackupNotFoundException = class _BackupNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#BackupNotFoundException";
  name = "BackupNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "BackupNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _BackupNotFoundException.prototype);
  }
};
var InternalServerError = class _InternalServerError extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#InternalServerError";
  name = "InternalServerError";
  $fault = "server";
  constructor(opts) {
    super({
      name: "InternalServerError",
      $fault: "server",
      ...opts
    });
    Object.setPrototypeOf(this, _InternalServerError.prototype);
  }
};
var RequestLimitExceeded = class _RequestLimitExceeded extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#RequestLimitExceeded";
  name = "RequestLimitExceeded";
  $fault = "client";
  ThrottlingReasons;
  constructor(opts) {
    super({
      name: "RequestLimitExceeded",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _RequestLimitExceeded.prototype);
    this.ThrottlingReasons = opts.ThrottlingReasons;
  }
};
var ThrottlingException = class _ThrottlingException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ThrottlingException";
  name = "ThrottlingException";
  $fault = "client";
  throttlingReasons;
  constructor(opts) {
    super({
      name: "ThrottlingException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ThrottlingException.prototype);
    this.throttlingReasons = opts.throttlingReasons;
  }
};
var InvalidEndpointException = class _InvalidEndpointException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#InvalidEndpointException";
  name = "InvalidEndpointException";
  $fault = "client";
  Message;
  constructor(opts) {
    super({
      name: "InvalidEndpointException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidEndpointException.prototype);
    this.Message = opts.Message;
  }
};
var ProvisionedThroughputExceededException = class _ProvisionedThroughputExceededException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ProvisionedThroughputExceededException";
  name = "ProvisionedThroughputExceededException";
  $fault = "client";
  ThrottlingReasons;
  constructor(opts) {
    super({
      name: "ProvisionedThroughputExceededException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ProvisionedThroughputExceededException.prototype);
    this.ThrottlingReasons = opts.ThrottlingReasons;
  }
};
var ResourceNotFoundException = class _ResourceNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ResourceNotFoundException";
  name = "ResourceNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ResourceNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ResourceNotFoundException.prototype);
  }
};
var ItemCollectionSizeLimitExceededException = class _ItemCollectionSizeLimitExceededException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ItemCollectionSizeLimitExceededException";
  name = "ItemCollectionSizeLimitExceededException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ItemCollectionSizeLimitExceededException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ItemCollectionSizeLimitExceededException.prototype);
  }
};
var ReplicatedWriteConflictException = class _ReplicatedWriteConflictException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ReplicatedWriteConflictException";
  name = "ReplicatedWriteConflictException";
  $fault = "client";
  $retryable = {};
  constructor(opts) {
    super({
      name: "ReplicatedWriteConflictException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ReplicatedWriteConflictException.prototype);
  }
};
var ContinuousBackupsUnavailableException = class _ContinuousBackupsUnavailableException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ContinuousBackupsUnavailableException";
  name = "ContinuousBackupsUnavailableException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ContinuousBackupsUnavailableException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ContinuousBackupsUnavailableException.prototype);
  }
};
var LimitExceededException = class _LimitExceededException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#LimitExceededException";
  name = "LimitExceededException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "LimitExceededException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _LimitExceededException.prototype);
  }
};
var TableInUseException = class _TableInUseException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#TableInUseException";
  name = "TableInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "TableInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TableInUseException.prototype);
  }
};
var TableNotFoundException = class _TableNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#TableNotFoundException";
  name = "TableNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "TableNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TableNotFoundException.prototype);
  }
};
var GlobalTableAlreadyExistsException = class _GlobalTableAlreadyExistsException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#GlobalTableAlreadyExistsException";
  name = "GlobalTableAlreadyExistsException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "GlobalTableAlreadyExistsException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _GlobalTableAlreadyExistsException.prototype);
  }
};
var ResourceInUseException = class _ResourceInUseException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ResourceInUseException";
  name = "ResourceInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ResourceInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ResourceInUseException.prototype);
  }
};
var TransactionConflictException = class _TransactionConflictException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#TransactionConflictException";
  name = "TransactionConflictException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "TransactionConflictException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TransactionConflictException.prototype);
  }
};
var PolicyNotFoundException = class _PolicyNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#PolicyNotFoundException";
  name = "PolicyNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "PolicyNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _PolicyNotFoundException.prototype);
  }
};
var ExportNotFoundException = class _ExportNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ExportNotFoundException";
  name = "ExportNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ExportNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ExportNotFoundException.prototype);
  }
};
var GlobalTableNotFoundException = class _GlobalTableNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#GlobalTableNotFoundException";
  name = "GlobalTableNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "GlobalTableNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _GlobalTableNotFoundException.prototype);
  }
};
var ImportNotFoundException = class _ImportNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ImportNotFoundException";
  name = "ImportNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ImportNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ImportNotFoundException.prototype);
  }
};
var DuplicateItemException = class _DuplicateItemException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#DuplicateItemException";
  name = "DuplicateItemException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "DuplicateItemException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _DuplicateItemException.prototype);
  }
};
var IdempotentParameterMismatchException = class _IdempotentParameterMismatchException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#IdempotentParameterMismatchException";
  name = "IdempotentParameterMismatchException";
  $fault = "client";
  Message;
  constructor(opts) {
    super({
      name: "IdempotentParameterMismatchException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _IdempotentParameterMismatchException.prototype);
    this.Message = opts.Message;
  }
};
var TransactionInProgressException = class _TransactionInProgressException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#TransactionInProgressException";
  name = "TransactionInProgressException";
  $fault = "client";
  Message;
  constructor(opts) {
    super({
      name: "TransactionInProgressException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TransactionInProgressException.prototype);
    this.Message = opts.Message;
  }
};
var ExportConflictException = class _ExportConflictException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ExportConflictException";
  name = "ExportConflictException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ExportConflictException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ExportConflictException.prototype);
  }
};
var InvalidExportTimeException = class _InvalidExportTimeException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#InvalidExportTimeException";
  name = "InvalidExportTimeException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidExportTimeException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidExportTimeException.prototype);
  }
};
var PointInTimeRecoveryUnavailableException = class _PointInTimeRecoveryUnavailableException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#PointInTimeRecoveryUnavailableException";
  name = "PointInTimeRecoveryUnavailableException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "PointInTimeRecoveryUnavailableException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _PointInTimeRecoveryUnavailableException.prototype);
  }
};
var ImportConflictException = class _ImportConflictException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ImportConflictException";
  name = "ImportConflictException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ImportConflictException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ImportConflictException.prototype);
  }
};
var TableAlreadyExistsException = class _TableAlreadyExistsException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#TableAlreadyExistsException";
  name = "TableAlreadyExistsException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "TableAlreadyExistsException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TableAlreadyExistsException.prototype);
  }
};
var InvalidRestoreTimeException = class _InvalidRestoreTimeException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#InvalidRestoreTimeException";
  name = "InvalidRestoreTimeException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidRestoreTimeException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidRestoreTimeException.prototype);
  }
};
var ReplicaAlreadyExistsException = class _ReplicaAlreadyExistsException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ReplicaAlreadyExistsException";
  name = "ReplicaAlreadyExistsException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ReplicaAlreadyExistsException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ReplicaAlreadyExistsException.prototype);
  }
};
var ReplicaNotFoundException = class _ReplicaNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ReplicaNotFoundException";
  name = "ReplicaNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ReplicaNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ReplicaNotFoundException.prototype);
  }
};
var IndexNotFoundException = class _IndexNotFoundException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#IndexNotFoundException";
  name = "IndexNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "IndexNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _IndexNotFoundException.prototype);
  }
};
var ConditionalCheckFailedException = class _ConditionalCheckFailedException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#ConditionalCheckFailedException";
  name = "ConditionalCheckFailedException";
  $fault = "client";
  Item;
  constructor(opts) {
    super({
      name: "ConditionalCheckFailedException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ConditionalCheckFailedException.prototype);
    this.Item = opts.Item;
  }
};
var TransactionCanceledException = class _TransactionCanceledException extends DynamoDBServiceException {
  static shapeId = "com.amazonaws.dynamodb#TransactionCanceledException";
  name = "TransactionCanceledException";
  $fault = "client";
  Message;
  CancellationReasons;
  constructor(opts) {
    super({
      name: "TransactionCanceledException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TransactionCanceledException.prototype);
    this.Message = opts.Message;
    this.CancellationReasons = opts.CancellationReasons;
  }
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js
var _A = "Action";
var _ABA = "ArchivalBackupArn";
var _ACDTP = "ApproximateCreationDateTimePrecision";
var _AD = "AttributeDefinition";
var _ADT = "ArchivalDateTime";
var _ADt = "AttributeDefinitions";
var _AM = "AttributeMap";
var _AMRCU = "AccountMaxReadCapacityUnits";
var _AMWCU = "AccountMaxWriteCapacityUnits";
var _AN = "AttributeName";
var _AR = "ArchivalReason";
var _AS = "ArchivalSummary";
var _ASD = "AutoScalingDisabled";
var _ASPD = "AutoScalingPolicyDescription";
var _ASPDL = "AutoScalingPolicyDescriptionList";
var _ASPU = "AutoScalingPolicyUpdate";
var _ASRA = "AutoScalingRoleArn";
var _ASSD = "AutoScalingSettingsDescription";
var _ASSU = "AutoScalingSettingsUpdate";
var _ASTTSPCD = "AutoScalingTargetTrackingScalingPolicyConfigurationDescription";
var _ASTTSPCU = "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate";
var _AT = "AttributeType";
var _ATG = "AttributesToGet";
var _AU = "AttributeUpdates";
var _AV = "AttributeValue";
var _AVL = "AttributeValueList";
var _AVU = "AttributeValueUpdate";
var _Ad = "Address";
var _At = "Attributes";
var _B = "Backfilling";
var _BA = "BackupArn";
var _BCDT = "BackupCreationDateTime";
var _BD = "BackupDescription";
var _BDa = "BackupDetails";
var _BEDT = "BackupExpiryDateTime";
var _BES = "BatchExecuteStatement";
var _BESI = "BatchExecuteStatementInput";
var _BESO = "BatchExecuteStatementOutput";
var _BGI = "BatchGetItem";
var _BGII = "BatchGetItemInput";
var _BGIO = "BatchGetItemOutput";
var _BGRM = "BatchGetResponseMap";
var _BGRMa = "BatchGetRequestMap";
var _BIUE = "BackupInUseException";
var _BM = "BillingMode";
var _BMO = "BillingModeOverride";
var _BMS = "BillingModeSummary";
var _BN = "BackupName";
var _BNFE = "BackupNotFoundException";
var _BOA = "BulkOperationArn";
var _BOB = "BulkOperationBytes";
var _BOD = "BulkOperationDescription";
var _BOOL = "BOOL";
var _BOS = "BulkOperationStatus";
var _BOSL = "BulkOperationsSummaryList";
var _BOSu = "BulkOperationSummary";
var _BOTD = "BulkOperationTableDetail";
var _BOTDu = "BulkOperationTableDetails";
var _BOU = "BulkOperationUsage";
var _BOUM = "BulkOperationUsageMultiple";
var _BOVB = "BulkOperationVectorBytes";
var _BPB = "BulkPutBytes";
var _BPVB = "BulkPutVectorBytes";
var _BS = "BackupStatus";
var _BSB = "BackupSizeBytes";
var _BSBi = "BilledSizeBytes";
var _BSE = "BatchStatementError";
var _BSR = "BatchStatementRequest";
var _BSRa = "BatchStatementResponse";
var _BS_ = "BS";
var _BSa = "BackupSummary";
var _BSac = "BackupSummaries";
var _BT = "BackupType";
var _BWI = "BatchWriteItem";
var _BWII = "BatchWriteItemInput";
var _BWIO = "BatchWriteItemOutput";
var _BWIRM = "BatchWriteItemRequestMap";
var _B_ = "B";
var _C = "Code";
var _CB = "CreateBackup";
var _CBD = "ContinuousBackupsDescription";
var _CBI = "CreateBackupInput";
var _CBO = "CreateBackupOutput";
var _CBOI = "CancelBulkOperationInput";
var _CBOO = "CancelBulkOperationOutput";
var _CBOa = "CancelBulkOperation";
var _CBS = "ContinuousBackupsStatus";
var _CBUE = "ContinuousBackupsUnavailableException";
var _CC = "ConsumedCapacity";
var _CCFE = "ConditionalCheckFailedException";
var _CCM = "ConsumedCapacityMultiple";
var _CCo = "ConditionCheck";
var _CDT = "CreationDateTime";
var _CE = "ConditionExpression";
var _CGSIA = "CreateGlobalSecondaryIndexAction";
var _CGT = "CreateGlobalTable";
var _CGTI = "CreateGlobalTableInput";
var _CGTO = "CreateGlobalTableOutput";
var _CGTWGMA = "CreateGlobalTableWitnessGroupMemberAction";
var _CIA = "ContributorInsightsAction";
var _CIM = "ContributorInsightsMode";
var _CIRL = "ContributorInsightsRuleList";
var _CIS = "ContributorInsightsSummary";
var _CISo = "ContributorInsightsStatus";
var _CISon = "ContributorInsightsSummaries";
var _CO = "ComparisonOperator";
var _COo = "ConditionalOperator";
var _COs = "CsvOptions";
var _CPIM = "CachePeriodInMinutes";
var _CR = "CancellationReasons";
var _CRA = "CreateReplicaAction";
var _CRGMA = "CreateReplicationGroupMemberAction";
var _CRL = "CancellationReasonList";
var _CRSRA = "ConfirmRemoveSelfResourceAccess";
var _CRT = "ClientRequestToken";
var _CRa = "CancellationReason";
var _CRo = "ConsistentRead";
var _CT = "ClientToken";
var _CTI = "CreateTableInput";
var _CTO = "CreateTableOutput";
var _CTr = "CreateTable";
var _CU = "CapacityUnits";
var _CVIA = "CreateVectorIndexAction";
var _CWLGA = "CloudWatchLogGroupArn";
var _Ca = "Capacity";
var _Co = "Condition";
var _Cou = "Count";
var _Cr = "Create";
var _Cs = "Csv";
var _D = "Dimensions";
var _DB = "DeleteBackup";
var _DBI = "DeleteBackupInput";
var _DBIe = "DescribeBackupInput";
var _DBO = "DeleteBackupOutput";
var _DBOI = "DescribeBulkOperationInput";
var _DBOO = "DescribeBulkOperationOutput";
var _DBOe = "DescribeBackupOutput";
var _DBOes = "DescribeBulkOperation";
var _DBe = "DescribeBackup";
var _DCB = "DescribeContinuousBackups";
var _DCBI = "DescribeContinuousBackupsInput";
var _DCBO = "DescribeContinuousBackupsOutput";
var _DCI = "DescribeContributorInsights";
var _DCII = "DescribeContributorInsightsInput";
var _DCIO = "DescribeContributorInsightsOutput";
var _DE = "DescribeEndpoints";
var _DEI = "DescribeExportInput";
var _DEO = "DescribeExportOutput";
var _DER = "DescribeEndpointsRequest";
var _DERe = "DescribeEndpointsResponse";
var _DEe = "DescribeExport";
var _DF = "DistanceFunction";
var _DGSIA = "DeleteGlobalSecondaryIndexAction";
var _DGT = "DescribeGlobalTable";
var _DGTI = "DescribeGlobalTableInput";
var _DGTO = "DescribeGlobalTableOutput";
var _DGTS = "DescribeGlobalTableSettings";
var _DGTSI = "DescribeGlobalTableSettingsInput";
var _DGTSO = "DescribeGlobalTableSettingsOutput";
var _DGTWGMA = "DeleteGlobalTableWitnessGroupMemberAction";
var _DI = "DeleteItem";
var _DIE = "DuplicateItemException";
var _DII = "DeleteItemInput";
var _DIIe = "DescribeImportInput";
var _DIO = "DeleteItemOutput";
var _DIOe = "DescribeImportOutput";
var _DIe = "DescribeImport";
var _DKSD = "DescribeKinesisStreamingDestination";
var _DKSDI = "DescribeKinesisStreamingDestinationInput";
var _DKSDO = "DescribeKinesisStreamingDestinationOutput";
var _DKSDi = "DisableKinesisStreamingDestination";
var _DL = "DescribeLimits";
var _DLI = "DescribeLimitsInput";
var _DLO = "DescribeLimitsOutput";
var _DM = "DisassociationMode";
var _DPE = "DeletionProtectionEnabled";
var _DPEi = "DisassociationProtectionEnabled";
var _DR = "DeleteRequest";
var _DRA = "DeleteReplicaAction";
var _DRGMA = "DeleteReplicationGroupMemberAction";
var _DRGMAi = "DisassociateReplicationGroupMemberAction";
var _DRP = "DeleteResourcePolicy";
var _DRPI = "DeleteResourcePolicyInput";
var _DRPO = "DeleteResourcePolicyOutput";
var _DS = "DestinationStatus";
var _DSD = "DestinationStatusDescription";
var _DSI = "DisableScaleIn";
var _DT = "DeleteTable";
var _DTI = "DeleteTableInput";
var _DTIe = "DescribeTableInput";
var _DTO = "DeleteTableOutput";
var _DTOe = "DescribeTableOutput";
var _DTRAS = "DescribeTableReplicaAutoScaling";
var _DTRASI = "DescribeTableReplicaAutoScalingInput";
var _DTRASO = "DescribeTableReplicaAutoScalingOutput";
var _DTTL = "DescribeTimeToLive";
var _DTTLI = "DescribeTimeToLiveInput";
var _DTTLO = "DescribeTimeToLiveOutput";
var _DTe = "DescribeTable";
var _DVIA = "DeleteVectorIndexAction";
var _De = "Delimiter";
var _Del = "Delete";
var _Di = "Disassociate";
var _E = "Error";
var _EA = "ExportArn";
var _EAM = "ExpectedAttributeMap";
var _EAN = "ExpressionAttributeNames";
var _EAV = "ExpressionAttributeValues";
var _EAVM = "ExpressionAttributeValueMap";
var _EAVx = "ExpectedAttributeValue";
var _EC = "ErrorCount";
var _ECE = "ExportConflictException";
var _ED = "ExportDescription";
var _EDx = "ExceptionDescription";
var _EF = "ExportFormat";
var _EFT = "ExportFromTime";
var _EKSC = "EnableKinesisStreamingConfiguration";
var _EKSD = "EnableKinesisStreamingDestination";
var _EM = "ExportManifest";
var _EN = "ExceptionName";
var _ENFE = "ExportNotFoundException";
var _ERDT = "EarliestRestorableDateTime";
var _ERI = "ExpectedRevisionId";
var _ES = "ExportStatus";
var _ESBA = "ExclusiveStartBackupArn";
var _ESGTN = "ExclusiveStartGlobalTableName";
var _ESI = "ExecuteStatementInput";
var _ESK = "ExclusiveStartKey";
var _ESO = "ExecuteStatementOutput";
var _ESTN = "ExclusiveStartTableName";
var _ESx = "ExportSummary";
var _ESxe = "ExecuteStatement";
var _ESxp = "ExportSummaries";
var _ET = "EndTime";
var _ETI = "ExecuteTransactionInput";
var _ETO = "ExecuteTransactionOutput";
var _ETT = "ExportToTime";
var _ETTPIT = "ExportTableToPointInTime";
var _ETTPITI = "ExportTableToPointInTimeInput";
var _ETTPITO = "ExportTableToPointInTimeOutput";
var _ETx = "ExportTime";
var _ETxe = "ExecuteTransaction";
var _ETxp = "ExportType";
var _EVT = "ExportViewType";
var _En = "Endpoints";
var _Ena = "Enabled";
var _End = "Endpoint";
var _Ex = "Expected";
var _Exi = "Exists";
var _FC = "FailureCode";
var _FCM = "FilterConditionMap";
var _FE = "FailureException";
var _FEi = "FilterExpression";
var _FIC = "FailedItemCount";
var _FM = "FailureMessage";
var _FS = "FilterSpecification";
var _G = "Get";
var _GI = "GetItem";
var _GII = "GetItemInput";
var _GIO = "GetItemOutput";
var _GRP = "GetResourcePolicy";
var _GRPI = "GetResourcePolicyInput";
var _GRPO = "GetResourcePolicyOutput";
var _GSI = "GlobalSecondaryIndexes";
var _GSIASU = "GlobalSecondaryIndexAutoScalingUpdate";
var _GSIASUL = "GlobalSecondaryIndexAutoScalingUpdateList";
var _GSID = "GlobalSecondaryIndexDescription";
var _GSIDL = "GlobalSecondaryIndexDescriptionList";
var _GSII = "GlobalSecondaryIndexInfo";
var _GSIL = "GlobalSecondaryIndexList";
var _GSIO = "GlobalSecondaryIndexOverride";
var _GSIU = "GlobalSecondaryIndexUpdate";
var _GSIUL = "GlobalSecondaryIndexUpdateList";
var _GSIUl = "GlobalSecondaryIndexUpdates";
var _GSIWTD = "GlobalSecondaryIndexWarmThroughputDescription";
var _GSIl = "GlobalSecondaryIndex";
var _GT = "GlobalTable";
var _GTA = "GlobalTableArn";
var _GTAEE = "GlobalTableAlreadyExistsException";
var _GTBM = "GlobalTableBillingMode";
var _GTD = "GlobalTableDescription";
var _GTGSISU = "GlobalTableGlobalSecondaryIndexSettingsUpdate";
var _GTGSISUL = "GlobalTableGlobalSecondaryIndexSettingsUpdateList";
var _GTL = "GlobalTableList";
var _GTN = "GlobalTableName";
var _GTNFE = "GlobalTableNotFoundException";
var _GTPWCASSU = "GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate";
var _GTPWCU = "GlobalTableProvisionedWriteCapacityUnits";
var _GTS = "GlobalTableStatus";
var _GTSA = "GlobalTableSourceArn";
var _GTSRM = "GlobalTableSettingsReplicationMode";
var _GTV = "GlobalTableVersion";
var _GTW = "GlobalTableWitnesses";
var _GTWD = "GlobalTableWitnessDescription";
var _GTWDL = "GlobalTableWitnessDescriptionList";
var _GTWGU = "GlobalTableWitnessGroupUpdate";
var _GTWGUL = "GlobalTableWitnessGroupUpdateList";
var _GTWU = "GlobalTableWitnessUpdates";
var _GTl = "GlobalTables";
var _HL = "HeaderList";
var _I = "Item";
var _IA = "ImportArn";
var _IAn = "IndexArn";
var _IC = "ItemCount";
var _ICE = "ImportConflictException";
var _ICK = "ItemCollectionKey";
var _ICKAM = "ItemCollectionKeyAttributeMap";
var _ICM = "ItemCollectionMetrics";
var _ICMM = "ItemCollectionMetricsMultiple";
var _ICMPT = "ItemCollectionMetricsPerTable";
var _ICSLEE = "ItemCollectionSizeLimitExceededException";
var _ICT = "InputCompressionType";
var _IEDT = "InaccessibleEncryptionDateTime";
var _IEE = "InvalidEndpointException";
var _IES = "IncrementalExportSpecification";
var _IETE = "InvalidExportTimeException";
var _IF = "InputFormat";
var _IFO = "InputFormatOptions";
var _IIC = "ImportedItemCount";
var _IL = "ItemList";
var _IN = "IndexName";
var _INFE = "ImportNotFoundException";
var _INFEn = "IndexNotFoundException";
var _IPME = "IdempotentParameterMismatchException";
var _IR = "ItemResponse";
var _IRL = "ItemResponseList";
var _IRTE = "InvalidRestoreTimeException";
var _IS = "IndexStatus";
var _ISB = "IndexSizeBytes";
var _ISC = "InputS3Configuration";
var _ISE = "InternalServerError";
var _ISL = "ImportSummaryList";
var _ISm = "ImportSummary";
var _ISmp = "ImportStatus";
var _IT = "ImportTable";
var _ITD = "ImportTableDescription";
var _ITI = "ImportTableInput";
var _ITO = "ImportTableOutput";
var _It = "Items";
var _K = "Key";
var _KAA = "KeysAndAttributes";
var _KC = "KeyConditions";
var _KCE = "KeyConditionExpression";
var _KDSD = "KinesisDataStreamDestinations";
var _KDSDi = "KinesisDataStreamDestination";
var _KL = "KeyList";
var _KMSMKA = "KMSMasterKeyArn";
var _KMSMKI = "KMSMasterKeyId";
var _KS = "KeySchema";
var _KSDI = "KinesisStreamingDestinationInput";
var _KSDO = "KinesisStreamingDestinationOutput";
var _KSE = "KeySchemaElement";
var _KT = "KeyType";
var _Ke = "Keys";
var _L = "Limit";
var _LAV = "ListAttributeValue";
var _LB = "ListBackups";
var _LBI = "ListBackupsInput";
var _LBO = "ListBackupsOutput";
var _LBOI = "ListBulkOperationsInput";
var _LBOO = "ListBulkOperationsOutput";
var _LBOi = "ListBulkOperations";
var _LCI = "ListContributorInsights";
var _LCII = "ListContributorInsightsInput";
var _LCIO = "ListContributorInsightsOutput";
var _LDDT = "LastDecreaseDateTime";
var _LE = "ListExports";
var _LEBA = "LastEvaluatedBackupArn";
var _LEE = "LimitExceededException";
var _LEGTN = "LastEvaluatedGlobalTableName";
var _LEI = "ListExportsInput";
var _LEK = "LastEvaluatedKey";
var _LEO = "ListExportsOutput";
var _LETN = "LastEvaluatedTableName";
var _LGT = "ListGlobalTables";
var _LGTI = "ListGlobalTablesInput";
var _LGTO = "ListGlobalTablesOutput";
var _LI = "ListImports";
var _LIDT = "LastIncreaseDateTime";
var _LII = "ListImportsInput";
var _LIO = "ListImportsOutput";
var _LRDT = "LatestRestorableDateTime";
var _LSA = "LatestStreamArn";
var _LSI = "LocalSecondaryIndexes";
var _LSID = "LocalSecondaryIndexDescription";
var _LSIDL = "LocalSecondaryIndexDescriptionList";
var _LSII = "LocalSecondaryIndexInfo";
var _LSIL = "LocalSecondaryIndexList";
var _LSIO = "LocalSecondaryIndexOverride";
var _LSIo = "LocalSecondaryIndex";
var _LSL = "LatestStreamLabel";
var _LT = "ListTables";
var _LTI = "ListTablesInput";
var _LTO = "ListTablesOutput";
var _LTOR = "ListTagsOfResource";
var _LTORI = "ListTagsOfResourceInput";
var _LTORO = "ListTagsOfResourceOutput";
var _LUDT = "LastUpdateDateTime";
var _LUTPPRDT = "LastUpdateToPayPerRequestDateTime";
var _L_ = "L";
var _M = "Message";
var _MAV = "MapAttributeValue";
var _MR = "MaxResults";
var _MRC = "MultiRegionConsistency";
var _MRRU = "MaxReadRequestUnits";
var _MU = "MinimumUnits";
var _MUa = "MaximumUnits";
var _MWRU = "MaxWriteRequestUnits";
var _M_ = "M";
var _N = "N";
var _NKA = "NonKeyAttributes";
var _NODT = "NumberOfDecreasesToday";
var _NS = "NS";
var _NT = "NextToken";
var _NULL = "NULL";
var _ODT = "OnDemandThroughput";
var _ODTO = "OnDemandThroughputOverride";
var _OSC = "OutputS3Configuration";
var _OT = "OutputType";
var _P = "Parameters";
var _PE = "ProjectionExpression";
var _PI = "PutItem";
var _PIB = "ProcessedInputBytes";
var _PIC = "ProcessedItemCount";
var _PII = "PutItemInput";
var _PIIAM = "PutItemInputAttributeMap";
var _PIO = "PutItemOutput";
var _PITRD = "PointInTimeRecoveryDescription";
var _PITRE = "PointInTimeRecoveryEnabled";
var _PITRS = "PointInTimeRecoveryStatus";
var _PITRSo = "PointInTimeRecoverySpecification";
var _PITRUE = "PointInTimeRecoveryUnavailableException";
var _PN = "PolicyName";
var _PNFE = "PolicyNotFoundException";
var _PQLBR = "PartiQLBatchRequest";
var _PQLBRa = "PartiQLBatchResponse";
var _PR = "PutRequest";
var _PRCASS = "ProvisionedReadCapacityAutoScalingSettings";
var _PRCASSU = "ProvisionedReadCapacityAutoScalingSettingsUpdate";
var _PRCASU = "ProvisionedReadCapacityAutoScalingUpdate";
var _PRCU = "ProvisionedReadCapacityUnits";
var _PRP = "PutResourcePolicy";
var _PRPI = "PutResourcePolicyInput";
var _PRPO = "PutResourcePolicyOutput";
var _PS = "PageSize";
var _PSB = "ProcessedSizeBytes";
var _PSP = "PreparedStatementParameters";
var _PSa = "ParameterizedStatement";
var _PSar = "ParameterizedStatements";
var _PT = "PerformanceTier";
var _PTD = "ProvisionedThroughputDescription";
var _PTEE = "ProvisionedThroughputExceededException";
var _PTO = "ProvisionedThroughputOverride";
var _PTr = "ProvisionedThroughput";
var _PTro = "ProjectionType";
var _PWCASS = "ProvisionedWriteCapacityAutoScalingSettings";
var _PWCASSU = "ProvisionedWriteCapacityAutoScalingSettingsUpdate";
var _PWCASU = "ProvisionedWriteCapacityAutoScalingUpdate";
var _PWCU = "ProvisionedWriteCapacityUnits";
var _Po = "Policy";
var _Pr = "Projection";
var _Pu = "Put";
var _Q = "Query";
var _QF = "QueryFilter";
var _QI = "QueryInput";
var _QO = "QueryOutput";
var _R = "Responses";
var _RA = "ResourceArn";
var _RAEE = "ReplicaAlreadyExistsException";
var _RASD = "ReplicaAutoScalingDescription";
var _RASDL = "ReplicaAutoScalingDescriptionList";
var _RASU = "ReplicaAutoScalingUpdate";
var _RASUL = "ReplicaAutoScalingUpdateList";
var _RAe = "ReplicaArn";
var _RBMS = "ReplicaBillingModeSummary";
var _RCC = "ReturnConsumedCapacity";
var _RCU = "ReadCapacityUnits";
var _RD = "ReplicaDescription";
var _RDL = "ReplicaDescriptionList";
var _RDT = "RestoreDateTime";
var _RG = "ReplicationGroup";
var _RGSI = "ReplicaGlobalSecondaryIndex";
var _RGSIASD = "ReplicaGlobalSecondaryIndexAutoScalingDescription";
var _RGSIASDL = "ReplicaGlobalSecondaryIndexAutoScalingDescriptionList";
var _RGSIASU = "ReplicaGlobalSecondaryIndexAutoScalingUpdate";
var _RGSIASUL = "ReplicaGlobalSecondaryIndexAutoScalingUpdateList";
var _RGSID = "ReplicaGlobalSecondaryIndexDescription";
var _RGSIDL = "ReplicaGlobalSecondaryIndexDescriptionList";
var _RGSIL = "ReplicaGlobalSecondaryIndexList";
var _RGSIS = "ReplicaGlobalSecondaryIndexSettings";
var _RGSISD = "ReplicaGlobalSecondaryIndexSettingsDescription";
var _RGSISDL = "ReplicaGlobalSecondaryIndexSettingsDescriptionList";
var _RGSISU = "ReplicaGlobalSecondaryIndexSettingsUpdate";
var _RGSISUL = "ReplicaGlobalSecondaryIndexSettingsUpdateList";
var _RGSIU = "ReplicaGlobalSecondaryIndexUpdates";
var _RGU = "ReplicationGroupUpdate";
var _RGUL = "ReplicationGroupUpdateList";
var _RI = "RequestItems";
var _RICM = "ReturnItemCollectionMetrics";
var _RIDT = "ReplicaInaccessibleDateTime";
var _RIP = "RestoreInProgress";
var _RIUE = "ResourceInUseException";
var _RIe = "RevisionId";
var _RL = "ReplicaList";
var _RLE = "RequestLimitExceeded";
var _RN = "RegionName";
var _RNFE = "ReplicaNotFoundException";
var _RNFEe = "ResourceNotFoundException";
var _RP = "ResourcePolicy";
var _RPID = "RecoveryPeriodInDays";
var _RPRCASS = "ReplicaProvisionedReadCapacityAutoScalingSettings";
var _RPRCASSU = "ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate";
var _RPRCASU = "ReplicaProvisionedReadCapacityAutoScalingUpdate";
var _RPRCU = "ReplicaProvisionedReadCapacityUnits";
var _RPWCASS = "ReplicaProvisionedWriteCapacityAutoScalingSettings";
var _RPWCU = "ReplicaProvisionedWriteCapacityUnits";
var _RS = "ReplicaSettings";
var _RSD = "ReplicaStatusDescription";
var _RSDL = "ReplicaSettingsDescriptionList";
var _RSDe = "ReplicaSettingsDescription";
var _RSPP = "ReplicaStatusPercentProgress";
var _RSU = "ReplicaSettingsUpdate";
var _RSUL = "ReplicaSettingsUpdateList";
var _RSe = "ReplicaStatus";
var _RSes = "RestoreSummary";
var _RTC = "ReplicaTableClass";
var _RTCS = "ReplicaTableClassSummary";
var _RTFB = "RestoreTableFromBackup";
var _RTFBI = "RestoreTableFromBackupInput";
var _RTFBO = "RestoreTableFromBackupOutput";
var _RTTPIT = "RestoreTableToPointInTime";
var _RTTPITI = "RestoreTableToPointInTimeInput";
var _RTTPITO = "RestoreTableToPointInTimeOutput";
var _RU = "ReplicaUpdate";
var _RUL = "ReplicaUpdateList";
var _RUPS = "ReadUnitsPerSecond";
var _RUe = "ReplicaUpdates";
var _RV = "ReturnValues";
var _RVOCCF = "ReturnValuesOnConditionCheckFailure";
var _RWCE = "ReplicatedWriteConflictException";
var _Re = "Replica";
var _Rep = "Replicas";
var _S = "Statements";
var _SA = "StreamArn";
var _SB = "S3Bucket";
var _SBA = "SourceBackupArn";
var _SBO = "S3BucketOwner";
var _SBPI = "StartBulkPutItems";
var _SBPII = "StartBulkPutItemsInput";
var _SBPIO = "StartBulkPutItemsOutput";
var _SBS = "S3BucketSource";
var _SC = "ScannedCount";
var _SCE = "SearchConditionExpression";
var _SD = "StreamDescription";
var _SE = "StreamEnabled";
var _SERGB = "SizeEstimateRangeGB";
var _SF = "ScanFilter";
var _SI = "ScanInput";
var _SIBBM = "SecondaryIndexesBulkBytesMap";
var _SIC = "ScaleInCooldown";
var _SICM = "SecondaryIndexesCapacityMap";
var _SIF = "ScanIndexForward";
var _SKP = "S3KeyPrefix";
var _SO = "ScanOutput";
var _SOC = "ScaleOutCooldown";
var _SP = "ScalingPolicies";
var _SPU = "ScalingPolicyUpdate";
var _SPr = "S3Prefix";
var _SR = "SearchResults";
var _SRI = "SearchResultItem";
var _SRL = "SearchResultList";
var _SS = "StreamSpecification";
var _SSA = "S3SseAlgorithm";
var _SSE = "SearchSchemaElement";
var _SSED = "SSEDescription";
var _SSES = "SSESpecification";
var _SSESO = "SSESpecificationOverride";
var _SSET = "SearchSchemaElementType";
var _SSETy = "SSEType";
var _SSKKI = "S3SseKmsKeyId";
var _SS_ = "SS";
var _SSe = "SearchSchema";
var _ST = "StartTime";
var _STA = "SourceTableArn";
var _STD = "SourceTableDetails";
var _STFD = "SourceTableFeatureDetails";
var _STN = "SourceTableName";
var _SV = "SearchVector";
var _SVI = "SearchVectorsInput";
var _SVL = "SearchVectorList";
var _SVO = "SearchVectorsOutput";
var _SVT = "StreamViewType";
var _SVe = "SearchVectors";
var _S_ = "S";
var _Sc = "Score";
var _Sca = "Scan";
var _Se = "Select";
var _Seg = "Segment";
var _St = "Statement";
var _Sta = "Status";
var _T = "Table";
var _TA = "TableArn";
var _TAEE = "TableAlreadyExistsException";
var _TASD = "TableAutoScalingDescription";
var _TC = "TableClass";
var _TCDT = "TableCreationDateTime";
var _TCE = "TransactionCanceledException";
var _TCEr = "TransactionConflictException";
var _TCO = "TableClassOverride";
var _TCP = "TableCreationParameters";
var _TCS = "TableClassSummary";
var _TD = "TableDetails";
var _TDa = "TableDescription";
var _TE = "ThrottlingException";
var _TGI = "TransactGetItem";
var _TGII = "TransactGetItemsInput";
var _TGIL = "TransactGetItemList";
var _TGIO = "TransactGetItemsOutput";
var _TGIr = "TransactGetItems";
var _TI = "TableId";
var _TIB = "TotalInputBytes";
var _TIPE = "TransactionInProgressException";
var _TIUE = "TableInUseException";
var _TIr = "TransactItems";
var _TK = "TopK";
var _TKa = "TagKeys";
var _TL = "TagList";
var _TMRCU = "TableMaxReadCapacityUnits";
var _TMWCU = "TableMaxWriteCapacityUnits";
var _TN = "TableName";
var _TNFE = "TableNotFoundException";
var _TNa = "TableNames";
var _TR = "ThrottlingReasons";
var _TRI = "TagResourceInput";
var _TRL = "ThrottlingReasonList";
var _TRLB = "TimeRangeLowerBound";
var _TRUB = "TimeRangeUpperBound";
var _TRa = "TagResource";
var _TRh = "ThrottlingReason";
var _TS = "TransactStatements";
var _TSB = "TableSizeBytes";
var _TSa = "TableStatus";
var _TSo = "TotalSegments";
var _TTLD = "TimeToLiveDescription";
var _TTLS = "TimeToLiveStatus";
var _TTLSi = "TimeToLiveSpecification";
var _TTN = "TargetTableName";
var _TTSPC = "TargetTrackingScalingPolicyConfiguration";
var _TV = "TargetValue";
var _TWI = "TransactWriteItem";
var _TWII = "TransactWriteItemsInput";
var _TWIL = "TransactWriteItemList";
var _TWIO = "TransactWriteItemsOutput";
var _TWIr = "TransactWriteItems";
var _TWTD = "TableWarmThroughputDescription";
var _Ta = "Tags";
var _Tag = "Tag";
var _U = "Update";
var _UCB = "UpdateContinuousBackups";
var _UCBI = "UpdateContinuousBackupsInput";
var _UCBO = "UpdateContinuousBackupsOutput";
var _UCI = "UpdateContributorInsights";
var _UCII = "UpdateContributorInsightsInput";
var _UCIO = "UpdateContributorInsightsOutput";
var _UE = "UpdateExpression";
var _UGSIA = "UpdateGlobalSecondaryIndexAction";
var _UGT = "UpdateGlobalTable";
var _UGTI = "UpdateGlobalTableInput";
var _UGTO = "UpdateGlobalTableOutput";
var _UGTS = "UpdateGlobalTableSettings";
var _UGTSI = "UpdateGlobalTableSettingsInput";
var _UGTSO = "UpdateGlobalTableSettingsOutput";
var _UI = "UnprocessedItems";
var _UII = "UpdateItemInput";
var _UIO = "UpdateItemOutput";
var _UIp = "UpdateItem";
var _UK = "UnprocessedKeys";
var _UKSC = "UpdateKinesisStreamingConfiguration";
var _UKSD = "UpdateKinesisStreamingDestination";
var _UKSDI = "UpdateKinesisStreamingDestinationInput";
var _UKSDO = "UpdateKinesisStreamingDestinationOutput";
var _ULRT = "UseLatestRestorableTime";
var _UR = "UntagResource";
var _URGMA = "UpdateReplicationGroupMemberAction";
var _URI = "UntagResourceInput";
var _UT = "UpdateTable";
var _UTI = "UpdateTableInput";
var _UTO = "UpdateTableOutput";
var _UTRAS = "UpdateTableReplicaAutoScaling";
var _UTRASI = "UpdateTableReplicaAutoScalingInput";
var _UTRASO = "UpdateTableReplicaAutoScalingOutput";
var _UTTL = "UpdateTimeToLive";
var _UTTLI = "UpdateTimeToLiveInput";
var _UTTLO = "UpdateTimeToLiveOutput";
var _V = "Value";
var _VA = "VectorAttribute";
var _VAD = "VectorAttributeDefinition";
var _VC = "VectorCapacity";
var _VI = "VectorIndexes";
var _VIBVBM = "VectorIndexesBulkVectorBytesMap";
var _VICM = "VectorIndexesCapacityMap";
var _VID = "VectorIndexDescription";
var _VIDL = "VectorIndexDescriptionList";
var _VII = "VectorIndexInfo";
var _VIL = "VectorIndexList";
var _VIO = "VectorIndexOverride";
var _VIU = "VectorIndexUpdates";
var _VIUL = "VectorIndexUpdateList";
var _VIUe = "VectorIndexUpdate";
var _VIe = "VectorIndex";
var _VSRB = "VectorSearchRequestBytes";
var _VWRB = "VectorWriteRequestBytes";
var _WCU = "WriteCapacityUnits";
var _WR = "WriteRequest";
var _WRr = "WriteRequests";
var _WS = "WitnessStatus";
var _WT = "WarmThroughput";
var _WUPS = "WriteUnitsPerSecond";
var _aQE = "awsQueryError";
var _c = "client";
var _e = "error";
var _hE = "httpError";
var _hH = "httpHeader";
var _m = "message";
var _r = "reason";
var _re = "resource";
var _s = "smithy.ts.sdk.synthetic.com.amazonaws.dynamodb";
var _se = "server";
var _tR = "throttlingReasons";
var _xacrsra = "x-amz-confirm-remove-self-resource-access";
var n0 = "com.amazonaws.dynamodb";
var _s_registry = new TypeRegistry(_s);
var DynamoDBServiceException$ = [-3, _s, "DynamoDBServiceException", 0, [], []];
_s_registry.registerError(DynamoDBServiceException$, DynamoDBServiceException);
var n0_registry = new TypeRegistry(n0);
var BackupInUseException$ = [
  -3,
  n0,
  _BIUE,
  { [_e]: _c },
  [_m],
  [0]
];
var BackupNotFoundException$ = [
  -3,
  n0,
  _BNFE,
  { [_e]: _c },
  [_m],
  [0]
];
var ConditionalCheckFailedException$ = [
  -3,
  n0,
  _CCFE,
  { [_e]: _c },
  [_m, _I],
  [0, () => AttributeMap]
];
n0_registry.registerError(ConditionalCheckFailedException$, ConditionalCheckFailedException);
var ContinuousBackupsUnavailableException$ = [
  -3,
  n0,
  _CBUE,
  { [_e]: _c },
  [_m],
  [0]
];
var DuplicateItemException$ = [
  -3,
  n0,
  _DIE,
  { [_e]: _c },
  [_m],
  [0]
];
var ExportConflictException$ = [
  -3,
  n0,
  _ECE,
  { [_e]: _c },
  [_m],
  [0]
];
var ExportNotFoundException$ = [
  -3,
  n0,
  _ENFE,
  { [_e]: _c },
  [_m],
  [0]
];
var GlobalTableAlreadyExistsException$ = [
  -3,
  n0,
  _GTAEE,
  { [_e]: _c },
  [_m],
  [0]
];
var GlobalTableNotFoundException$ = [
  -3,
  n0,
  _GTNFE,
  { [_e]: _c },
  [_m],
  [0]
];
var IdempotentParameterMismatchException$ = [
  -3,
  n0,
  _IPME,
  { [_e]: _c },
  [_M],
  [0]
];
var ImportConflictException$ = [
  -3,
  n0,
  _ICE,
  { [_e]: _c },
  [_m],
  [0]
];
var ImportNotFoundException$ = [
  -3,
  n0,
  _INFE,
  { [_e]: _c },
  [_m],
  [0]
];
var IndexNotFoundException$ = [
  -3,
  n0,
  _INFEn,
  { [_e]: _c },
  [_m],
  [0]
];
var InternalServerError$ = [
  -3,
  n0,
  _ISE,
  { [_e]: _se },
  [_m],
  [0]
];
var InvalidEndpointException$ = [
  -3,
  n0,
  _IEE,
  { [_e]: _c, [_hE]: 421 },
  [_M],
  [0]
];
var InvalidExportTimeException$ = [
  -3,
  n0,
  _IETE,
  { [_e]: _c },
  [_m],
  [0]
];
var InvalidRestoreTimeException$ = [
  -3,
  n0,
  _IRTE,
  { [_e]: _c },
  [_m],
  [0]
];
var ItemCollectionSizeLimitExceededException$ = [
  -3,
  n0,
  _ICSLEE,
  { [_e]: _c },
  [_m],
  [0]
];
var LimitExceededException$ = [
  -3,
  n0,
  _LEE,
  { [_e]: _c },
  [_m],
  [0]
];
var PointInTimeRecoveryUnavailableException$ = [
  -3,
  n0,
  _PITRUE,
  { [_e]: _c },
  [_m],
  [0]
];
var PolicyNotFoundException$ = [
  -3,
  n0,
  _PNFE,
  { [_e]: _c },
  [_m],
  [0]
];
var ProvisionedThroughputExceededException$ = [
  -3,
  n0,
  _PTEE,
  { [_e]: _c },
  [_m, _TR],
  [0, () => ThrottlingReasonList]
];
var ReplicaAlreadyExistsException$ = [
  -3,
  n0,
  _RAEE,
  { [_e]: _c },
  [_m],
  [0]
];
var ReplicaNotFoundException$ = [
  -3,
  n0,
  _RNFE,
  { [_e]: _c },
  [_m],
  [0]
];
var ReplicatedWriteConflictException$ = [
  -3,
  n0,
  _RWCE,
  { [_e]: _c },
  [_m],
  [0]
];
var RequestLimitExceeded$ = [
  -3,
  n0,
  _RLE,
  { [_e]: _c },
  [_m, _TR],
  [0, () => ThrottlingReasonList]
];
var ResourceInUseException$ = [
  -3,
  n0,
  _RIUE,
  { [_e]: _c },
  [_m],
  [0]
];
var ResourceNotFoundException$ = [
  -3,
  n0,
  _RNFEe,
  { [_e]: _c },
  [_m],
  [0]
];
var TableAlreadyExistsException$ = [
  -3,
  n0,
  _TAEE,
  { [_e]: _c },
  [_m],
  [0]
];
var TableInUseException$ = [
  -3,
  n0,
  _TIUE,
  { [_e]: _c },
  [_m],
  [0]
];
var TableNotFoundException$ = [
  -3,
  n0,
  _TNFE,
  { [_e]: _c },
  [_m],
  [0]
];
var ThrottlingException$ = [
  -3,
  n0,
  _TE,
  { [_aQE]: [`Throttling`, 400], [_e]: _c, [_hE]: 400 },
  [_m, _tR],
  [0, () => ThrottlingReasonList]
];
var TransactionCanceledException$ = [
  -3,
  n0,
  _TCE,
  { [_e]: _c },
  [_M, _CR],
  [0, () => CancellationReasonList]
];
n0_registry.registerError(TransactionCanceledException$, TransactionCanceledException);
var TransactionConflictException$ = [
  -3,
  n0,
  _TCEr,
  { [_e]: _c },
  [_m],
  [0]
];
var TransactionInProgressException$ = [
  -3,
  n0,
  _TIPE,
  { [_e]: _c },
  [_M],
  [0]
];
var errorTypeRegistries = [
  _s_registry,
  n0_registry
];
var ArchivalSummary$ = [
  3,
  n0,
  _AS,
  0,
  [_ADT, _AR, _ABA],
  [4, 0, 0]
];
var AttributeDefinition$ = [
  3,
  n0,
  _AD,
  0,
  [_AN, _AT],
  [0, 0],
  2
];
var AttributeValueUpdate$ = [
  3,
  n0,
  _AVU,
  0,
  [_V, _A],
  [() => AttributeValue$, 0]
];
var AutoScalingPolicyDescription$ = [
  3,
  n0,
  _ASPD,
  0,
  [_PN, _TTSPC],
  [0, () => AutoScalingTargetTrackingScalingPolicyConfigurationDescription$]
];
var AutoScalingPolicyUpdate$ = [
  3,
  n0,
  _ASPU,
  0,
  [_TTSPC, _PN],
  [() => AutoScalingTargetTrackingScalingPolicyConfigurationUpdate$, 0],
  1
];
var AutoScalingSettingsDescription$ = [
  3,
  n0,
  _ASSD,
  0,
  [_MU, _MUa, _ASD, _ASRA, _SP],
  [1, 1, 2, 0, () => AutoScalingPolicyDescriptionList]
];
var AutoScalingSettingsUpdate$ = [
  3,
  n0,
  _ASSU,
  0,
  [_MU, _MUa, _ASD, _ASRA, _SPU],
  [1, 1, 2, 0, () => AutoScalingPolicyUpdate$]
];
var AutoScalingTargetTrackingScalingPolicyConfigurationDescription$ = [
  3,
  n0,
  _ASTTSPCD,
  0,
  [_TV, _DSI, _SIC, _SOC],
  [1, 2, 1, 1],
  1
];
var AutoScalingTargetTrackingScalingPolicyConfigurationUpdate$ = [
  3,
  n0,
  _ASTTSPCU,
  0,
  [_TV, _DSI, _SIC, _SOC],
  [1, 2, 1, 1],
  1
];
var BackupDescription$ = [
  3,
  n0,
  _BD,
  0,
  [_BDa, _STD, _STFD],
  [() => BackupDetails$, () => SourceTableDetails$, () => SourceTableFeatureDetails$]
];
var BackupDetails$ = [
  3,
  n0,
  _BDa,
  0,
  [_BA, _BN, _BS, _BT, _BCDT, _BSB, _BEDT],
  [0, 0, 0, 0, 4, 1, 4],
  5
];
var BackupSummary$ = [
  3,
  n0,
  _BSa,
  0,
  [_TN, _TI, _TA, _BA, _BN, _BCDT, _BEDT, _BS, _BT, _BSB],
  [0, 0, 0, 0, 0, 4, 4, 0, 0, 1]
];
var BatchExecuteStatementInput$ = [
  3,
  n0,
  _BESI,
  0,
  [_S, _RCC],
  [() => PartiQLBatchRequest, 0],
  1
];
var BatchExecuteStatementOutput$ = [
  3,
  n0,
  _BESO,
  0,
  [_R, _CC],
  [() => PartiQLBatchResponse, () => ConsumedCapacityMultiple]
];
var BatchGetItemInput$ = [
  3,
  n0,
  _BGII,
  0,
  [_RI, _RCC],
  [() => BatchGetRequestMap, 0],
  1
];
var BatchGetItemOutput$ = [
  3,
  n0,
  _BGIO,
  0,
  [_R, _UK, _CC],
  [() => BatchGetResponseMap, () => BatchGetRequestMap, () => ConsumedCapacityMultiple]
];
var BatchStatementError$ = [
  3,
  n0,
  _BSE,
  0,
  [_C, _M, _I],
  [0, 0, () => AttributeMap]
];
var BatchStatementRequest$ = [
  3,
  n0,
  _BSR,
  0,
  [_St, _P, _CRo, _RVOCCF],
  [0, () => PreparedStatementParameters, 2, 0],
  1
];
var BatchStatementResponse$ = [
  3,
  n0,
  _BSRa,
  0,
  [_E, _TN, _I],
  [() => BatchStatementError$, 0, () => AttributeMap]
];
var BatchWriteItemInput$ = [
  3,
  n0,
  _BWII,
  0,
  [_RI, _RCC, _RICM],
  [() => BatchWriteItemRequestMap, 0, 0],
  1
];
var BatchWriteItemOutput$ = [
  3,
  n0,
  _BWIO,
  0,
  [_UI, _ICM, _CC],
  [() => BatchWriteItemRequestMap, () => ItemCollectionMetricsPerTable, () => ConsumedCapacityMultiple]
];
var BillingModeSummary$ = [
  3,
  n0,
  _BMS,
  0,
  [_BM, _LUTPPRDT],
  [0, 4]
];
var BulkOperationBytes$ = [
  3,
  n0,
  _BOB,
  0,
  [_BPB],
  [1]
];
var BulkOperationDescription$ = [
  3,
  n0,
  _BOD,
  0,
  [_BOA, _BOS, _TD, _CT, _ISC, _OSC, _ST, _ET, _PIC, _PIB, _TIB, _BOU, _FIC, _FC, _FM, _MWRU, _PT],
  [0, 0, () => BulkOperationTableDetails, 0, () => InputS3Configuration$, () => OutputS3Configuration$, 4, 4, 1, 1, 1, () => BulkOperationUsageMultiple, 1, 0, 0, 1, 0]
];
var BulkOperationSummary$ = [
  3,
  n0,
  _BOSu,
  0,
  [_BOA, _BOS, _ST, _ET],
  [0, 0, 4, 4],
  3
];
var BulkOperationTableDetail$ = [
  3,
  n0,
  _BOTD,
  0,
  [_TN, _TI],
  [0, 0]
];
var BulkOperationUsage$ = [
  3,
  n0,
  _BOU,
  0,
  [_TN, _BPB, _T, _LSI, _GSI, _VI],
  [0, 1, () => BulkOperationBytes$, () => SecondaryIndexesBulkBytesMap, () => SecondaryIndexesBulkBytesMap, () => VectorIndexesBulkVectorBytesMap]
];
var BulkOperationVectorBytes$ = [
  3,
  n0,
  _BOVB,
  0,
  [_BPVB],
  [1]
];
var CancelBulkOperationInput$ = [
  3,
  n0,
  _CBOI,
  0,
  [_BOA],
  [0],
  1
];
var CancelBulkOperationOutput$ = [
  3,
  n0,
  _CBOO,
  0,
  [_BOA, _BOS],
  [0, 0],
  2
];
var CancellationReason$ = [
  3,
  n0,
  _CRa,
  0,
  [_I, _C, _M],
  [() => AttributeMap, 0, 0]
];
var Capacity$ = [
  3,
  n0,
  _Ca,
  0,
  [_RCU, _WCU, _CU],
  [1, 1, 1]
];
var Condition$ = [
  3,
  n0,
  _Co,
  0,
  [_CO, _AVL],
  [0, () => AttributeValueList],
  1
];
var ConditionCheck$ = [
  3,
  n0,
  _CCo,
  0,
  [_K, _TN, _CE, _EAN, _EAV, _RVOCCF],
  [() => Key, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  3
];
var ConsumedCapacity$ = [
  3,
  n0,
  _CC,
  0,
  [_TN, _CU, _RCU, _WCU, _T, _LSI, _GSI, _VI],
  [0, 1, 1, 1, () => Capacity$, () => SecondaryIndexesCapacityMap, () => SecondaryIndexesCapacityMap, () => VectorIndexesCapacityMap]
];
var ContinuousBackupsDescription$ = [
  3,
  n0,
  _CBD,
  0,
  [_CBS, _PITRD],
  [0, () => PointInTimeRecoveryDescription$],
  1
];
var ContributorInsightsSummary$ = [
  3,
  n0,
  _CIS,
  0,
  [_TN, _IN, _CISo, _CIM],
  [0, 0, 0, 0]
];
var CreateBackupInput$ = [
  3,
  n0,
  _CBI,
  0,
  [_TN, _BN],
  [0, 0],
  2
];
var CreateBackupOutput$ = [
  3,
  n0,
  _CBO,
  0,
  [_BDa],
  [() => BackupDetails$]
];
var CreateGlobalSecondaryIndexAction$ = [
  3,
  n0,
  _CGSIA,
  0,
  [_IN, _KS, _Pr, _PTr, _ODT, _WT],
  [0, () => KeySchema, () => Projection$, () => ProvisionedThroughput$, () => OnDemandThroughput$, () => WarmThroughput$],
  3
];
var CreateGlobalTableInput$ = [
  3,
  n0,
  _CGTI,
  0,
  [_GTN, _RG],
  [0, () => ReplicaList],
  2
];
var CreateGlobalTableOutput$ = [
  3,
  n0,
  _CGTO,
  0,
  [_GTD],
  [() => GlobalTableDescription$]
];
var CreateGlobalTableWitnessGroupMemberAction$ = [
  3,
  n0,
  _CGTWGMA,
  0,
  [_RN],
  [0],
  1
];
var CreateReplicaAction$ = [
  3,
  n0,
  _CRA,
  0,
  [_RN],
  [0],
  1
];
var CreateReplicationGroupMemberAction$ = [
  3,
  n0,
  _CRGMA,
  0,
  [_RN, _KMSMKI, _PTO, _ODTO, _GSI, _TCO],
  [0, 0, () => ProvisionedThroughputOverride$, () => OnDemandThroughputOverride$, () => ReplicaGlobalSecondaryIndexList, 0],
  1
];
var CreateTableInput$ = [
  3,
  n0,
  _CTI,
  0,
  [_TN, _ADt, _KS, _LSI, _GSI, _BM, _PTr, _SS, _SSES, _Ta, _TC, _DPE, _WT, _RP, _ODT, _GTSA, _GTSRM, _VI],
  [0, () => AttributeDefinitions, () => KeySchema, () => LocalSecondaryIndexList, () => GlobalSecondaryIndexList, 0, () => ProvisionedThroughput$, () => StreamSpecification$, () => SSESpecification$, () => TagList, 0, 2, () => WarmThroughput$, 0, () => OnDemandThroughput$, 0, 0, () => VectorIndexList],
  1
];
var CreateTableOutput$ = [
  3,
  n0,
  _CTO,
  0,
  [_TDa],
  [() => TableDescription$]
];
var CreateVectorIndexAction$ = [
  3,
  n0,
  _CVIA,
  0,
  [_IN, _VA, _Pr, _D, _DF, _SSe],
  [0, () => VectorAttributeDefinition$, () => Projection$, 1, 0, () => SearchSchema],
  5
];
var CsvOptions$ = [
  3,
  n0,
  _COs,
  0,
  [_De, _HL],
  [0, 64 | 0]
];
var Delete$ = [
  3,
  n0,
  _Del,
  0,
  [_K, _TN, _CE, _EAN, _EAV, _RVOCCF],
  [() => Key, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  2
];
var DeleteBackupInput$ = [
  3,
  n0,
  _DBI,
  0,
  [_BA],
  [0],
  1
];
var DeleteBackupOutput$ = [
  3,
  n0,
  _DBO,
  0,
  [_BD],
  [() => BackupDescription$]
];
var DeleteGlobalSecondaryIndexAction$ = [
  3,
  n0,
  _DGSIA,
  0,
  [_IN],
  [0],
  1
];
var DeleteGlobalTableWitnessGroupMemberAction$ = [
  3,
  n0,
  _DGTWGMA,
  0,
  [_RN],
  [0],
  1
];
var DeleteItemInput$ = [
  3,
  n0,
  _DII,
  0,
  [_TN, _K, _Ex, _COo, _RV, _RCC, _RICM, _CE, _EAN, _EAV, _RVOCCF],
  [0, () => Key, () => ExpectedAttributeMap, 0, 0, 0, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  2
];
var DeleteItemOutput$ = [
  3,
  n0,
  _DIO,
  0,
  [_At, _CC, _ICM],
  [() => AttributeMap, () => ConsumedCapacity$, () => ItemCollectionMetrics$]
];
var DeleteReplicaAction$ = [
  3,
  n0,
  _DRA,
  0,
  [_RN],
  [0],
  1
];
var DeleteReplicationGroupMemberAction$ = [
  3,
  n0,
  _DRGMA,
  0,
  [_RN],
  [0],
  1
];
var DeleteRequest$ = [
  3,
  n0,
  _DR,
  0,
  [_K],
  [() => Key],
  1
];
var DeleteResourcePolicyInput$ = [
  3,
  n0,
  _DRPI,
  0,
  [_RA, _ERI],
  [0, 0],
  1
];
var DeleteResourcePolicyOutput$ = [
  3,
  n0,
  _DRPO,
  0,
  [_RIe],
  [0]
];
var DeleteTableInput$ = [
  3,
  n0,
  _DTI,
  0,
  [_TN],
  [0],
  1
];
var DeleteTableOutput$ = [
  3,
  n0,
  _DTO,
  0,
  [_TDa],
  [() => TableDescription$]
];
var DeleteVectorIndexAction$ = [
  3,
  n0,
  _DVIA,
  0,
  [_IN],
  [0],
  1
];
var DescribeBackupInput$ = [
  3,
  n0,
  _DBIe,
  0,
  [_BA],
  [0],
  1
];
var DescribeBackupOutput$ = [
  3,
  n0,
  _DBOe,
  0,
  [_BD],
  [() => BackupDescription$]
];
var DescribeBulkOperationInput$ = [
  3,
  n0,
  _DBOI,
  0,
  [_BOA],
  [0],
  1
];
var DescribeBulkOperationOutput$ = [
  3,
  n0,
  _DBOO,
  0,
  [_BOD],
  [() => BulkOperationDescription$],
  1
];
var DescribeContinuousBackupsInput$ = [
  3,
  n0,
  _DCBI,
  0,
  [_TN],
  [0],
  1
];
var DescribeContinuousBackupsOutput$ = [
  3,
  n0,
  _DCBO,
  0,
  [_CBD],
  [() => ContinuousBackupsDescription$]
];
var DescribeContributorInsightsInput$ = [
  3,
  n0,
  _DCII,
  0,
  [_TN, _IN],
  [0, 0],
  1
];
var DescribeContributorInsightsOutput$ = [
  3,
  n0,
  _DCIO,
  0,
  [_TN, _IN, _CIRL, _CISo, _LUDT, _FE, _CIM],
  [0, 0, 64 | 0, 0, 4, () => FailureException$, 0]
];
var DescribeEndpointsRequest$ = [
  3,
  n0,
  _DER,
  0,
  [],
  []
];
var DescribeEndpointsResponse$ = [
  3,
  n0,
  _DERe,
  0,
  [_En],
  [() => Endpoints],
  1
];
var DescribeExportInput$ = [
  3,
  n0,
  _DEI,
  0,
  [_EA],
  [0],
  1
];
var DescribeExportOutput$ = [
  3,
  n0,
  _DEO,
  0,
  [_ED],
  [() => ExportDescription$]
];
var DescribeGlobalTableInput$ = [
  3,
  n0,
  _DGTI,
  0,
  [_GTN],
  [0],
  1
];
var DescribeGlobalTableOutput$ = [
  3,
  n0,
  _DGTO,
  0,
  [_GTD],
  [() => GlobalTableDescription$]
];
var DescribeGlobalTableSettingsInput$ = [
  3,
  n0,
  _DGTSI,
  0,
  [_GTN],
  [0],
  1
];
var DescribeGlobalTableSettingsOutput$ = [
  3,
  n0,
  _DGTSO,
  0,
  [_GTN, _RS],
  [0, () => ReplicaSettingsDescriptionList]
];
var DescribeImportInput$ = [
  3,
  n0,
  _DIIe,
  0,
  [_IA],
  [0],
  1
];
var DescribeImportOutput$ = [
  3,
  n0,
  _DIOe,
  0,
  [_ITD],
  [() => ImportTableDescription$],
  1
];
var DescribeKinesisStreamingDestinationInput$ = [
  3,
  n0,
  _DKSDI,
  0,
  [_TN],
  [0],
  1
];
var DescribeKinesisStreamingDestinationOutput$ = [
  3,
  n0,
  _DKSDO,
  0,
  [_TN, _KDSD],
  [0, () => KinesisDataStreamDestinations]
];
var DescribeLimitsInput$ = [
  3,
  n0,
  _DLI,
  0,
  [],
  []
];
var DescribeLimitsOutput$ = [
  3,
  n0,
  _DLO,
  0,
  [_AMRCU, _AMWCU, _TMRCU, _TMWCU],
  [1, 1, 1, 1]
];
var DescribeTableInput$ = [
  3,
  n0,
  _DTIe,
  0,
  [_TN],
  [0],
  1
];
var DescribeTableOutput$ = [
  3,
  n0,
  _DTOe,
  0,
  [_T],
  [() => TableDescription$]
];
var DescribeTableReplicaAutoScalingInput$ = [
  3,
  n0,
  _DTRASI,
  0,
  [_TN],
  [0],
  1
];
var DescribeTableReplicaAutoScalingOutput$ = [
  3,
  n0,
  _DTRASO,
  0,
  [_TASD],
  [() => TableAutoScalingDescription$]
];
var DescribeTimeToLiveInput$ = [
  3,
  n0,
  _DTTLI,
  0,
  [_TN],
  [0],
  1
];
var DescribeTimeToLiveOutput$ = [
  3,
  n0,
  _DTTLO,
  0,
  [_TTLD],
  [() => TimeToLiveDescription$]
];
var DisassociateReplicationGroupMemberAction$ = [
  3,
  n0,
  _DRGMAi,
  0,
  [_RN, _DM],
  [0, 0],
  2
];
var EnableKinesisStreamingConfiguration$ = [
  3,
  n0,
  _EKSC,
  0,
  [_ACDTP],
  [0]
];
var Endpoint$ = [
  3,
  n0,
  _End,
  0,
  [_Ad, _CPIM],
  [0, 1],
  2
];
var ExecuteStatementInput$ = [
  3,
  n0,
  _ESI,
  0,
  [_St, _P, _CRo, _NT, _RCC, _L, _RVOCCF],
  [0, () => PreparedStatementParameters, 2, 0, 0, 1, 0],
  1
];
var ExecuteStatementOutput$ = [
  3,
  n0,
  _ESO,
  0,
  [_It, _NT, _CC, _LEK],
  [() => ItemList, 0, () => ConsumedCapacity$, () => Key]
];
var ExecuteTransactionInput$ = [
  3,
  n0,
  _ETI,
  0,
  [_TS, _CRT, _RCC],
  [() => ParameterizedStatements, [0, 4], 0],
  1
];
var ExecuteTransactionOutput$ = [
  3,
  n0,
  _ETO,
  0,
  [_R, _CC],
  [() => ItemResponseList, () => ConsumedCapacityMultiple]
];
var ExpectedAttributeValue$ = [
  3,
  n0,
  _EAVx,
  0,
  [_V, _Exi, _CO, _AVL],
  [() => AttributeValue$, 2, 0, () => AttributeValueList]
];
var ExportDescription$ = [
  3,
  n0,
  _ED,
  0,
  [_EA, _ES, _ST, _ET, _EM, _TA, _TI, _ETx, _CT, _SB, _SBO, _SPr, _SSA, _SSKKI, _FC, _FM, _EF, _BSBi, _IC, _ETxp, _IES, _FS],
  [0, 0, 4, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, () => IncrementalExportSpecification$, () => FilterSpecification$]
];
var ExportSummary$ = [
  3,
  n0,
  _ESx,
  0,
  [_EA, _ES, _ETxp],
  [0, 0, 0]
];
var ExportTableToPointInTimeInput$ = [
  3,
  n0,
  _ETTPITI,
  0,
  [_TA, _SB, _ETx, _CT, _SBO, _SPr, _SSA, _SSKKI, _EF, _ETxp, _IES, _FS],
  [0, 0, 4, [0, 4], 0, 0, 0, 0, 0, 0, () => IncrementalExportSpecification$, () => FilterSpecification$],
  2
];
var ExportTableToPointInTimeOutput$ = [
  3,
  n0,
  _ETTPITO,
  0,
  [_ED],
  [() => ExportDescription$]
];
var FailureException$ = [
  3,
  n0,
  _FE,
  0,
  [_EN, _EDx],
  [0, 0]
];
var FilterSpecification$ = [
  3,
  n0,
  _FS,
  0,
  [_FEi, _PE, _KCE, _EAN, _EAV],
  [0, 0, 0, 128 | 0, () => ExpressionAttributeValueMap]
];
var Get$ = [
  3,
  n0,
  _G,
  0,
  [_K, _TN, _PE, _EAN],
  [() => Key, 0, 0, 128 | 0],
  2
];
var GetItemInput$ = [
  3,
  n0,
  _GII,
  0,
  [_TN, _K, _ATG, _CRo, _RCC, _PE, _EAN],
  [0, () => Key, 64 | 0, 2, 0, 0, 128 | 0],
  2
];
var GetItemOutput$ = [
  3,
  n0,
  _GIO,
  0,
  [_I, _CC],
  [() => AttributeMap, () => ConsumedCapacity$]
];
var GetResourcePolicyInput$ = [
  3,
  n0,
  _GRPI,
  0,
  [_RA],
  [0],
  1
];
var GetResourcePolicyOutput$ = [
  3,
  n0,
  _GRPO,
  0,
  [_Po, _RIe],
  [0, 0]
];
var GlobalSecondaryIndex$ = [
  3,
  n0,
  _GSIl,
  0,
  [_IN, _KS, _Pr, _PTr, _ODT, _WT],
  [0, () => KeySchema, () => Projection$, () => ProvisionedThroughput$, () => OnDemandThroughput$, () => WarmThroughput$],
  3
];
var GlobalSecondaryIndexAutoScalingUpdate$ = [
  3,
  n0,
  _GSIASU,
  0,
  [_IN, _PWCASU],
  [0, () => AutoScalingSettingsUpdate$]
];
var GlobalSecondaryIndexDescription$ = [
  3,
  n0,
  _GSID,
  0,
  [_IN, _KS, _Pr, _IS, _B, _PTr, _ISB, _IC, _IAn, _ODT, _WT],
  [0, () => KeySchema, () => Projection$, 0, 2, () => ProvisionedThroughputDescription$, 1, 1, 0, () => OnDemandThroughput$, () => GlobalSecondaryIndexWarmThroughputDescription$]
];
var GlobalSecondaryIndexInfo$ = [
  3,
  n0,
  _GSII,
  0,
  [_IN, _KS, _Pr, _PTr, _ODT],
  [0, () => KeySchema, () => Projection$, () => ProvisionedThroughput$, () => OnDemandThroughput$]
];
var GlobalSecondaryIndexUpdate$ = [
  3,
  n0,
  _GSIU,
  0,
  [_U, _Cr, _Del],
  [() => UpdateGlobalSecondaryIndexAction$, () => CreateGlobalSecondaryIndexAction$, () => DeleteGlobalSecondaryIndexAction$]
];
var GlobalSecondaryIndexWarmThroughputDescription$ = [
  3,
  n0,
  _GSIWTD,
  0,
  [_RUPS, _WUPS, _Sta],
  [1, 1, 0]
];
var GlobalTable$ = [
  3,
  n0,
  _GT,
  0,
  [_GTN, _RG],
  [0, () => ReplicaList]
];
var GlobalTableDescription$ = [
  3,
  n0,
  _GTD,
  0,
  [_RG, _GTA, _CDT, _GTS, _GTN],
  [() => ReplicaDescriptionList, 0, 4, 0, 0]
];
var GlobalTableGlobalSecondaryIndexSettingsUpdate$ = [
  3,
  n0,
  _GTGSISU,
  0,
  [_IN, _PWCU, _PWCASSU],
  [0, 1, () => AutoScalingSettingsUpdate$],
  1
];
var GlobalTableWitnessDescription$ = [
  3,
  n0,
  _GTWD,
  0,
  [_RN, _WS],
  [0, 0]
];
var GlobalTableWitnessGroupUpdate$ = [
  3,
  n0,
  _GTWGU,
  0,
  [_Cr, _Del],
  [() => CreateGlobalTableWitnessGroupMemberAction$, () => DeleteGlobalTableWitnessGroupMemberAction$]
];
var ImportSummary$ = [
  3,
  n0,
  _ISm,
  0,
  [_IA, _ISmp, _TA, _SBS, _CWLGA, _IF, _ST, _ET],
  [0, 0, 0, () => S3BucketSource$, 0, 0, 4, 4]
];
var ImportTableDescription$ = [
  3,
  n0,
  _ITD,
  0,
  [_IA, _ISmp, _TA, _TI, _CT, _SBS, _EC, _CWLGA, _IF, _IFO, _ICT, _TCP, _ST, _ET, _PSB, _PIC, _IIC, _FC, _FM],
  [0, 0, 0, 0, 0, () => S3BucketSource$, 1, 0, 0, () => InputFormatOptions$, 0, () => TableCreationParameters$, 4, 4, 1, 1, 1, 0, 0]
];
var ImportTableInput$ = [
  3,
  n0,
  _ITI,
  0,
  [_SBS, _IF, _TCP, _CT, _IFO, _ICT],
  [() => S3BucketSource$, 0, () => TableCreationParameters$, [0, 4], () => InputFormatOptions$, 0],
  3
];
var ImportTableOutput$ = [
  3,
  n0,
  _ITO,
  0,
  [_ITD],
  [() => ImportTableDescription$],
  1
];
var IncrementalExportSpecification$ = [
  3,
  n0,
  _IES,
  0,
  [_EFT, _ETT, _EVT],
  [4, 4, 0]
];
var InputFormatOptions$ = [
  3,
  n0,
  _IFO,
  0,
  [_Cs],
  [() => CsvOptions$]
];
var InputS3Configuration$ = [
  3,
  n0,
  _ISC,
  0,
  [_SB, _IF, _SBO, _SKP, _ICT],
  [0, 0, 0, 0, 0],
  2
];
var ItemCollectionMetrics$ = [
  3,
  n0,
  _ICM,
  0,
  [_ICK, _SERGB],
  [() => ItemCollectionKeyAttributeMap, 64 | 1]
];
var ItemResponse$ = [
  3,
  n0,
  _IR,
  0,
  [_I],
  [() => AttributeMap]
];
var KeysAndAttributes$ = [
  3,
  n0,
  _KAA,
  0,
  [_Ke, _ATG, _CRo, _PE, _EAN],
  [() => KeyList, 64 | 0, 2, 0, 128 | 0],
  1
];
var KeySchemaElement$ = [
  3,
  n0,
  _KSE,
  0,
  [_AN, _KT],
  [0, 0],
  2
];
var KinesisDataStreamDestination$ = [
  3,
  n0,
  _KDSDi,
  0,
  [_SA, _DS, _DSD, _ACDTP],
  [0, 0, 0, 0]
];
var KinesisStreamingDestinationInput$ = [
  3,
  n0,
  _KSDI,
  0,
  [_TN, _SA, _EKSC],
  [0, 0, () => EnableKinesisStreamingConfiguration$],
  2
];
var KinesisStreamingDestinationOutput$ = [
  3,
  n0,
  _KSDO,
  0,
  [_TN, _SA, _DS, _EKSC],
  [0, 0, 0, () => EnableKinesisStreamingConfiguration$]
];
var ListBackupsInput$ = [
  3,
  n0,
  _LBI,
  0,
  [_TN, _L, _TRLB, _TRUB, _ESBA, _BT],
  [0, 1, 4, 4, 0, 0]
];
var ListBackupsOutput$ = [
  3,
  n0,
  _LBO,
  0,
  [_BSac, _LEBA],
  [() => BackupSummaries, 0]
];
var ListBulkOperationsInput$ = [
  3,
  n0,
  _LBOI,
  0,
  [_MR, _NT],
  [1, 0]
];
var ListBulkOperationsOutput$ = [
  3,
  n0,
  _LBOO,
  0,
  [_BOSL, _NT],
  [() => BulkOperationsSummaryList, 0]
];
var ListContributorInsightsInput$ = [
  3,
  n0,
  _LCII,
  0,
  [_TN, _NT, _MR],
  [0, 0, 1]
];
var ListContributorInsightsOutput$ = [
  3,
  n0,
  _LCIO,
  0,
  [_CISon, _NT],
  [() => ContributorInsightsSummaries, 0]
];
var ListExportsInput$ = [
  3,
  n0,
  _LEI,
  0,
  [_TA, _MR, _NT],
  [0, 1, 0]
];
var ListExportsOutput$ = [
  3,
  n0,
  _LEO,
  0,
  [_ESxp, _NT],
  [() => ExportSummaries, 0]
];
var ListGlobalTablesInput$ = [
  3,
  n0,
  _LGTI,
  0,
  [_ESGTN, _L, _RN],
  [0, 1, 0]
];
var ListGlobalTablesOutput$ = [
  3,
  n0,
  _LGTO,
  0,
  [_GTl, _LEGTN],
  [() => GlobalTableList, 0]
];
var ListImportsInput$ = [
  3,
  n0,
  _LII,
  0,
  [_TA, _PS, _NT],
  [0, 1, 0]
];
var ListImportsOutput$ = [
  3,
  n0,
  _LIO,
  0,
  [_ISL, _NT],
  [() => ImportSummaryList, 0]
];
var ListTablesInput$ = [
  3,
  n0,
  _LTI,
  0,
  [_ESTN, _L],
  [0, 1]
];
var ListTablesOutput$ = [
  3,
  n0,
  _LTO,
  0,
  [_TNa, _LETN],
  [64 | 0, 0]
];
var ListTagsOfResourceInput$ = [
  3,
  n0,
  _LTORI,
  0,
  [_RA, _NT],
  [0, 0],
  1
];
var ListTagsOfResourceOutput$ = [
  3,
  n0,
  _LTORO,
  0,
  [_Ta, _NT],
  [() => TagList, 0]
];
var LocalSecondaryIndex$ = [
  3,
  n0,
  _LSIo,
  0,
  [_IN, _KS, _Pr],
  [0, () => KeySchema, () => Projection$],
  3
];
var LocalSecondaryIndexDescription$ = [
  3,
  n0,
  _LSID,
  0,
  [_IN, _KS, _Pr, _ISB, _IC, _IAn],
  [0, () => KeySchema, () => Projection$, 1, 1, 0]
];
var LocalSecondaryIndexInfo$ = [
  3,
  n0,
  _LSII,
  0,
  [_IN, _KS, _Pr],
  [0, () => KeySchema, () => Projection$]
];
var OnDemandThroughput$ = [
  3,
  n0,
  _ODT,
  0,
  [_MRRU, _MWRU],
  [1, 1]
];
var OnDemandThroughputOverride$ = [
  3,
  n0,
  _ODTO,
  0,
  [_MRRU],
  [1]
];
var OutputS3Configuration$ = [
  3,
  n0,
  _OSC,
  0,
  [_OT, _SBO, _SB, _SKP, _SSA, _SSKKI],
  [64 | 0, 0, 0, 0, 0, 0],
  1
];
var ParameterizedStatement$ = [
  3,
  n0,
  _PSa,
  0,
  [_St, _P, _RVOCCF],
  [0, () => PreparedStatementParameters, 0],
  1
];
var PointInTimeRecoveryDescription$ = [
  3,
  n0,
  _PITRD,
  0,
  [_PITRS, _RPID, _ERDT, _LRDT],
  [0, 1, 4, 4]
];
var PointInTimeRecoverySpecification$ = [
  3,
  n0,
  _PITRSo,
  0,
  [_PITRE, _RPID],
  [2, 1],
  1
];
var Projection$ = [
  3,
  n0,
  _Pr,
  0,
  [_PTro, _NKA],
  [0, 64 | 0]
];
var ProvisionedThroughput$ = [
  3,
  n0,
  _PTr,
  0,
  [_RCU, _WCU],
  [1, 1],
  2
];
var ProvisionedThroughputDescription$ = [
  3,
  n0,
  _PTD,
  0,
  [_LIDT, _LDDT, _NODT, _RCU, _WCU],
  [4, 4, 1, 1, 1]
];
var ProvisionedThroughputOverride$ = [
  3,
  n0,
  _PTO,
  0,
  [_RCU],
  [1]
];
var Put$ = [
  3,
  n0,
  _Pu,
  0,
  [_I, _TN, _CE, _EAN, _EAV, _RVOCCF],
  [() => PutItemInputAttributeMap, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  2
];
var PutItemInput$ = [
  3,
  n0,
  _PII,
  0,
  [_TN, _I, _Ex, _RV, _RCC, _RICM, _COo, _CE, _EAN, _EAV, _RVOCCF],
  [0, () => PutItemInputAttributeMap, () => ExpectedAttributeMap, 0, 0, 0, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  2
];
var PutItemOutput$ = [
  3,
  n0,
  _PIO,
  0,
  [_At, _CC, _ICM],
  [() => AttributeMap, () => ConsumedCapacity$, () => ItemCollectionMetrics$]
];
var PutRequest$ = [
  3,
  n0,
  _PR,
  0,
  [_I],
  [() => PutItemInputAttributeMap],
  1
];
var PutResourcePolicyInput$ = [
  3,
  n0,
  _PRPI,
  0,
  [_RA, _Po, _ERI, _CRSRA],
  [0, 0, 0, [2, { [_hH]: _xacrsra }]],
  2
];
var PutResourcePolicyOutput$ = [
  3,
  n0,
  _PRPO,
  0,
  [_RIe],
  [0]
];
var QueryInput$ = [
  3,
  n0,
  _QI,
  0,
  [_TN, _IN, _Se, _ATG, _L, _CRo, _KC, _QF, _COo, _SIF, _ESK, _RCC, _PE, _FEi, _KCE, _EAN, _EAV],
  [0, 0, 0, 64 | 0, 1, 2, () => KeyConditions, () => FilterConditionMap, 0, 2, () => Key, 0, 0, 0, 0, 128 | 0, () => ExpressionAttributeValueMap],
  1
];
var QueryOutput$ = [
  3,
  n0,
  _QO,
  0,
  [_It, _Cou, _SC, _LEK, _CC],
  [() => ItemList, 1, 1, () => Key, () => ConsumedCapacity$]
];
var Replica$ = [
  3,
  n0,
  _Re,
  0,
  [_RN],
  [0]
];
var ReplicaAutoScalingDescription$ = [
  3,
  n0,
  _RASD,
  0,
  [_RN, _GSI, _RPRCASS, _RPWCASS, _RSe],
  [0, () => ReplicaGlobalSecondaryIndexAutoScalingDescriptionList, () => AutoScalingSettingsDescription$, () => AutoScalingSettingsDescription$, 0]
];
var ReplicaAutoScalingUpdate$ = [
  3,
  n0,
  _RASU,
  0,
  [_RN, _RGSIU, _RPRCASU],
  [0, () => ReplicaGlobalSecondaryIndexAutoScalingUpdateList, () => AutoScalingSettingsUpdate$],
  1
];
var ReplicaDescription$ = [
  3,
  n0,
  _RD,
  0,
  [_RN, _RSe, _RAe, _RSD, _RSPP, _KMSMKI, _PTO, _ODTO, _WT, _GSI, _RIDT, _RTCS, _GTSRM],
  [0, 0, 0, 0, 0, 0, () => ProvisionedThroughputOverride$, () => OnDemandThroughputOverride$, () => TableWarmThroughputDescription$, () => ReplicaGlobalSecondaryIndexDescriptionList, 4, () => TableClassSummary$, 0]
];
var ReplicaGlobalSecondaryIndex$ = [
  3,
  n0,
  _RGSI,
  0,
  [_IN, _PTO, _ODTO],
  [0, () => ProvisionedThroughputOverride$, () => OnDemandThroughputOverride$],
  1
];
var ReplicaGlobalSecondaryIndexAutoScalingDescription$ = [
  3,
  n0,
  _RGSIASD,
  0,
  [_IN, _IS, _PRCASS, _PWCASS],
  [0, 0, () => AutoScalingSettingsDescription$, () => AutoScalingSettingsDescription$]
];
var ReplicaGlobalSecondaryIndexAutoScalingUpdate$ = [
  3,
  n0,
  _RGSIASU,
  0,
  [_IN, _PRCASU],
  [0, () => AutoScalingSettingsUpdate$]
];
var ReplicaGlobalSecondaryIndexDescription$ = [
  3,
  n0,
  _RGSID,
  0,
  [_IN, _PTO, _ODTO, _WT],
  [0, () => ProvisionedThroughputOverride$, () => OnDemandThroughputOverride$, () => GlobalSecondaryIndexWarmThroughputDescription$]
];
var ReplicaGlobalSecondaryIndexSettingsDescription$ = [
  3,
  n0,
  _RGSISD,
  0,
  [_IN, _IS, _PRCU, _PRCASS, _PWCU, _PWCASS],
  [0, 0, 1, () => AutoScalingSettingsDescription$, 1, () => AutoScalingSettingsDescription$],
  1
];
var ReplicaGlobalSecondaryIndexSettingsUpdate$ = [
  3,
  n0,
  _RGSISU,
  0,
  [_IN, _PRCU, _PRCASSU],
  [0, 1, () => AutoScalingSettingsUpdate$],
  1
];
var ReplicaSettingsDescription$ = [
  3,
  n0,
  _RSDe,
  0,
  [_RN, _RSe, _RBMS, _RPRCU, _RPRCASS, _RPWCU, _RPWCASS, _RGSIS, _RTCS],
  [0, 0, () => BillingModeSummary$, 1, () => AutoScalingSettingsDescription$, 1, () => AutoScalingSettingsDescription$, () => ReplicaGlobalSecondaryIndexSettingsDescriptionList, () => TableClassSummary$],
  1
];
var ReplicaSettingsUpdate$ = [
  3,
  n0,
  _RSU,
  0,
  [_RN, _RPRCU, _RPRCASSU, _RGSISU, _RTC],
  [0, 1, () => AutoScalingSettingsUpdate$, () => ReplicaGlobalSecondaryIndexSettingsUpdateList, 0],
  1
];
var ReplicationGroupUpdate$ = [
  3,
  n0,
  _RGU,
  0,
  [_Cr, _U, _Del, _Di],
  [() => CreateReplicationGroupMemberAction$, () => UpdateReplicationGroupMemberAction$, () => DeleteReplicationGroupMemberAction$, () => DisassociateReplicationGroupMemberAction$]
];
var ReplicaUpdate$ = [
  3,
  n0,
  _RU,
  0,
  [_Cr, _Del],
  [() => CreateReplicaAction$, () => DeleteReplicaAction$]
];
var RestoreSummary$ = [
  3,
  n0,
  _RSes,
  0,
  [_RDT, _RIP, _SBA, _STA],
  [4, 2, 0, 0],
  2
];
var RestoreTableFromBackupInput$ = [
  3,
  n0,
  _RTFBI,
  0,
  [_TTN, _BA, _BMO, _GSIO, _LSIO, _PTO, _ODTO, _SSESO, _VIO],
  [0, 0, 0, () => GlobalSecondaryIndexList, () => LocalSecondaryIndexList, () => ProvisionedThroughput$, () => OnDemandThroughput$, () => SSESpecification$, () => VectorIndexList],
  2
];
var RestoreTableFromBackupOutput$ = [
  3,
  n0,
  _RTFBO,
  0,
  [_TDa],
  [() => TableDescription$]
];
var RestoreTableToPointInTimeInput$ = [
  3,
  n0,
  _RTTPITI,
  0,
  [_TTN, _STA, _STN, _ULRT, _RDT, _BMO, _GSIO, _LSIO, _PTO, _ODTO, _SSESO, _VIO],
  [0, 0, 0, 2, 4, 0, () => GlobalSecondaryIndexList, () => LocalSecondaryIndexList, () => ProvisionedThroughput$, () => OnDemandThroughput$, () => SSESpecification$, () => VectorIndexList],
  1
];
var RestoreTableToPointInTimeOutput$ = [
  3,
  n0,
  _RTTPITO,
  0,
  [_TDa],
  [() => TableDescription$]
];
var S3BucketSource$ = [
  3,
  n0,
  _SBS,
  0,
  [_SB, _SBO, _SKP],
  [0, 0, 0],
  1
];
var ScanInput$ = [
  3,
  n0,
  _SI,
  0,
  [_TN, _IN, _ATG, _L, _Se, _SF, _COo, _ESK, _RCC, _TSo, _Seg, _PE, _FEi, _EAN, _EAV, _CRo],
  [0, 0, 64 | 0, 1, 0, () => FilterConditionMap, 0, () => Key, 0, 1, 1, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 2],
  1
];
var ScanOutput$ = [
  3,
  n0,
  _SO,
  0,
  [_It, _Cou, _SC, _LEK, _CC],
  [() => ItemList, 1, 1, () => Key, () => ConsumedCapacity$]
];
var SearchResultItem$ = [
  3,
  n0,
  _SRI,
  0,
  [_I, _Sc],
  [() => AttributeMap, 1]
];
var SearchSchemaElement$ = [
  3,
  n0,
  _SSE,
  0,
  [_AN, _SSET],
  [0, 0],
  2
];
var SearchVectorsInput$ = [
  3,
  n0,
  _SVI,
  0,
  [_TN, _IN, _SV, _TK, _RCC, _EAN, _EAV, _PE, _SCE],
  [0, 0, () => SearchVectorList, 1, 0, 128 | 0, () => ExpressionAttributeValueMap, 0, 0],
  4
];
var SearchVectorsOutput$ = [
  3,
  n0,
  _SVO,
  0,
  [_CC, _SR],
  [() => VectorCapacity$, () => SearchResultList]
];
var SourceTableDetails$ = [
  3,
  n0,
  _STD,
  0,
  [_TN, _TI, _KS, _TCDT, _PTr, _TA, _TSB, _ODT, _IC, _BM],
  [0, 0, () => KeySchema, 4, () => ProvisionedThroughput$, 0, 1, () => OnDemandThroughput$, 1, 0],
  5
];
var SourceTableFeatureDetails$ = [
  3,
  n0,
  _STFD,
  0,
  [_LSI, _GSI, _SD, _TTLD, _SSED, _VI],
  [() => LocalSecondaryIndexes, () => GlobalSecondaryIndexes, () => StreamSpecification$, () => TimeToLiveDescription$, () => SSEDescription$, () => VectorIndexes]
];
var SSEDescription$ = [
  3,
  n0,
  _SSED,
  0,
  [_Sta, _SSETy, _KMSMKA, _IEDT],
  [0, 0, 0, 4]
];
var SSESpecification$ = [
  3,
  n0,
  _SSES,
  0,
  [_Ena, _SSETy, _KMSMKI],
  [2, 0, 0]
];
var StartBulkPutItemsInput$ = [
  3,
  n0,
  _SBPII,
  0,
  [_ISC, _OSC, _TN, _CT, _MWRU, _PT],
  [() => InputS3Configuration$, () => OutputS3Configuration$, 0, [0, 4], 1, 0],
  3
];
var StartBulkPutItemsOutput$ = [
  3,
  n0,
  _SBPIO,
  0,
  [_BOD],
  [() => BulkOperationDescription$],
  1
];
var StreamSpecification$ = [
  3,
  n0,
  _SS,
  0,
  [_SE, _SVT],
  [2, 0],
  1
];
var TableAutoScalingDescription$ = [
  3,
  n0,
  _TASD,
  0,
  [_TN, _TSa, _Rep],
  [0, 0, () => ReplicaAutoScalingDescriptionList]
];
var TableClassSummary$ = [
  3,
  n0,
  _TCS,
  0,
  [_TC, _LUDT],
  [0, 4]
];
var TableCreationParameters$ = [
  3,
  n0,
  _TCP,
  0,
  [_TN, _ADt, _KS, _BM, _PTr, _ODT, _SSES, _GSI, _VI],
  [0, () => AttributeDefinitions, () => KeySchema, 0, () => ProvisionedThroughput$, () => OnDemandThroughput$, () => SSESpecification$, () => GlobalSecondaryIndexList, () => VectorIndexList],
  3
];
var TableDescription$ = [
  3,
  n0,
  _TDa,
  0,
  [_ADt, _TN, _KS, _TSa, _CDT, _PTr, _TSB, _IC, _TA, _TI, _BMS, _LSI, _GSI, _SS, _LSL, _LSA, _GTV, _Rep, _GTW, _GTSRM, _RSes, _SSED, _AS, _TCS, _DPE, _DPEi, _ODT, _WT, _MRC, _VI],
  [() => AttributeDefinitions, 0, () => KeySchema, 0, 4, () => ProvisionedThroughputDescription$, 1, 1, 0, 0, () => BillingModeSummary$, () => LocalSecondaryIndexDescriptionList, () => GlobalSecondaryIndexDescriptionList, () => StreamSpecification$, 0, 0, 0, () => ReplicaDescriptionList, () => GlobalTableWitnessDescriptionList, 0, () => RestoreSummary$, () => SSEDescription$, () => ArchivalSummary$, () => TableClassSummary$, 2, 2, () => OnDemandThroughput$, () => TableWarmThroughputDescription$, 0, () => VectorIndexDescriptionList]
];
var TableWarmThroughputDescription$ = [
  3,
  n0,
  _TWTD,
  0,
  [_RUPS, _WUPS, _Sta],
  [1, 1, 0]
];
var Tag$ = [
  3,
  n0,
  _Tag,
  0,
  [_K, _V],
  [0, 0],
  2
];
var TagResourceInput$ = [
  3,
  n0,
  _TRI,
  0,
  [_RA, _Ta],
  [0, () => TagList],
  2
];
var ThrottlingReason$ = [
  3,
  n0,
  _TRh,
  0,
  [_r, _re],
  [0, 0]
];
var TimeToLiveDescription$ = [
  3,
  n0,
  _TTLD,
  0,
  [_TTLS, _AN],
  [0, 0]
];
var TimeToLiveSpecification$ = [
  3,
  n0,
  _TTLSi,
  0,
  [_Ena, _AN],
  [2, 0],
  2
];
var TransactGetItem$ = [
  3,
  n0,
  _TGI,
  0,
  [_G],
  [() => Get$],
  1
];
var TransactGetItemsInput$ = [
  3,
  n0,
  _TGII,
  0,
  [_TIr, _RCC],
  [() => TransactGetItemList, 0],
  1
];
var TransactGetItemsOutput$ = [
  3,
  n0,
  _TGIO,
  0,
  [_CC, _R],
  [() => ConsumedCapacityMultiple, () => ItemResponseList]
];
var TransactWriteItem$ = [
  3,
  n0,
  _TWI,
  0,
  [_CCo, _Pu, _Del, _U],
  [() => ConditionCheck$, () => Put$, () => Delete$, () => Update$]
];
var TransactWriteItemsInput$ = [
  3,
  n0,
  _TWII,
  0,
  [_TIr, _RCC, _RICM, _CRT],
  [() => TransactWriteItemList, 0, 0, [0, 4]],
  1
];
var TransactWriteItemsOutput$ = [
  3,
  n0,
  _TWIO,
  0,
  [_CC, _ICM],
  [() => ConsumedCapacityMultiple, () => ItemCollectionMetricsPerTable]
];
var UntagResourceInput$ = [
  3,
  n0,
  _URI,
  0,
  [_RA, _TKa],
  [0, 64 | 0],
  2
];
var Update$ = [
  3,
  n0,
  _U,
  0,
  [_K, _UE, _TN, _CE, _EAN, _EAV, _RVOCCF],
  [() => Key, 0, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  3
];
var UpdateContinuousBackupsInput$ = [
  3,
  n0,
  _UCBI,
  0,
  [_TN, _PITRSo],
  [0, () => PointInTimeRecoverySpecification$],
  2
];
var UpdateContinuousBackupsOutput$ = [
  3,
  n0,
  _UCBO,
  0,
  [_CBD],
  [() => ContinuousBackupsDescription$]
];
var UpdateContributorInsightsInput$ = [
  3,
  n0,
  _UCII,
  0,
  [_TN, _CIA, _IN, _CIM],
  [0, 0, 0, 0],
  2
];
var UpdateContributorInsightsOutput$ = [
  3,
  n0,
  _UCIO,
  0,
  [_TN, _IN, _CISo, _CIM],
  [0, 0, 0, 0]
];
var UpdateGlobalSecondaryIndexAction$ = [
  3,
  n0,
  _UGSIA,
  0,
  [_IN, _PTr, _ODT, _WT],
  [0, () => ProvisionedThroughput$, () => OnDemandThroughput$, () => WarmThroughput$],
  1
];
var UpdateGlobalTableInput$ = [
  3,
  n0,
  _UGTI,
  0,
  [_GTN, _RUe],
  [0, () => ReplicaUpdateList],
  2
];
var UpdateGlobalTableOutput$ = [
  3,
  n0,
  _UGTO,
  0,
  [_GTD],
  [() => GlobalTableDescription$]
];
var UpdateGlobalTableSettingsInput$ = [
  3,
  n0,
  _UGTSI,
  0,
  [_GTN, _GTBM, _GTPWCU, _GTPWCASSU, _GTGSISU, _RSU],
  [0, 0, 1, () => AutoScalingSettingsUpdate$, () => GlobalTableGlobalSecondaryIndexSettingsUpdateList, () => ReplicaSettingsUpdateList],
  1
];
var UpdateGlobalTableSettingsOutput$ = [
  3,
  n0,
  _UGTSO,
  0,
  [_GTN, _RS],
  [0, () => ReplicaSettingsDescriptionList]
];
var UpdateItemInput$ = [
  3,
  n0,
  _UII,
  0,
  [_TN, _K, _AU, _Ex, _COo, _RV, _RCC, _RICM, _UE, _CE, _EAN, _EAV, _RVOCCF],
  [0, () => Key, () => AttributeUpdates, () => ExpectedAttributeMap, 0, 0, 0, 0, 0, 0, 128 | 0, () => ExpressionAttributeValueMap, 0],
  2
];
var UpdateItemOutput$ = [
  3,
  n0,
  _UIO,
  0,
  [_At, _CC, _ICM],
  [() => AttributeMap, () => ConsumedCapacity$, () => ItemCollectionMetrics$]
];
var UpdateKinesisStreamingConfiguration$ = [
  3,
  n0,
  _UKSC,
  0,
  [_ACDTP],
  [0]
];
var UpdateKinesisStreamingDestinationInput$ = [
  3,
  n0,
  _UKSDI,
  0,
  [_TN, _SA, _UKSC],
  [0, 0, () => UpdateKinesisStreamingConfiguration$],
  2
];
var UpdateKinesisStreamingDestinationOutput$ = [
  3,
  n0,
  _UKSDO,
  0,
  [_TN, _SA, _DS, _UKSC],
  [0, 0, 0, () => UpdateKinesisStreamingConfiguration$]
];
var UpdateReplicationGroupMemberAction$ = [
  3,
  n0,
  _URGMA,
  0,
  [_RN, _KMSMKI, _PTO, _ODTO, _GSI, _TCO],
  [0, 0, () => ProvisionedThroughputOverride$, () => OnDemandThroughputOverride$, () => ReplicaGlobalSecondaryIndexList, 0],
  1
];
var UpdateTableInput$ = [
  3,
  n0,
  _UTI,
  0,
  [_TN, _ADt, _BM, _PTr, _GSIUl, _SS, _SSES, _RUe, _TC, _DPE, _MRC, _GTWU, _ODT, _WT, _GTSRM, _DPEi, _VIU],
  [0, () => AttributeDefinitions, 0, () => ProvisionedThroughput$, () => GlobalSecondaryIndexUpdateList, () => StreamSpecification$, () => SSESpecification$, () => ReplicationGroupUpdateList, 0, 2, 0, () => GlobalTableWitnessGroupUpdateList, () => OnDemandThroughput$, () => WarmThroughput$, 0, 2, () => VectorIndexUpdateList],
  1
];
var UpdateTableOutput$ = [
  3,
  n0,
  _UTO,
  0,
  [_TDa],
  [() => TableDescription$]
];
var UpdateTableReplicaAutoScalingInput$ = [
  3,
  n0,
  _UTRASI,
  0,
  [_TN, _GSIUl, _PWCASU, _RUe],
  [0, () => GlobalSecondaryIndexAutoScalingUpdateList, () => AutoScalingSettingsUpdate$, () => ReplicaAutoScalingUpdateList],
  1
];
var UpdateTableReplicaAutoScalingOutput$ = [
  3,
  n0,
  _UTRASO,
  0,
  [_TASD],
  [() => TableAutoScalingDescription$]
];
var UpdateTimeToLiveInput$ = [
  3,
  n0,
  _UTTLI,
  0,
  [_TN, _TTLSi],
  [0, () => TimeToLiveSpecification$],
  2
];
var UpdateTimeToLiveOutput$ = [
  3,
  n0,
  _UTTLO,
  0,
  [_TTLSi],
  [() => TimeToLiveSpecification$]
];
var VectorAttributeDefinition$ = [
  3,
  n0,
  _VAD,
  0,
  [_AN],
  [0],
  1
];
var VectorCapacity$ = [
  3,
  n0,
  _VC,
  0,
  [_VSRB, _VWRB],
  [1, 1]
];
var VectorIndex$ = [
  3,
  n0,
  _VIe,
  0,
  [_IN, _VA, _Pr, _D, _DF, _SSe],
  [0, () => VectorAttributeDefinition$, () => Projection$, 1, 0, () => SearchSchema],
  5
];
var VectorIndexDescription$ = [
  3,
  n0,
  _VID,
  0,
  [_IN, _SSe, _Pr, _VA, _D, _DF, _IS, _B, _ISB, _IC, _IAn],
  [0, () => SearchSchema, () => Projection$, () => VectorAttributeDefinition$, 1, 0, 0, 2, 1, 1, 0]
];
var VectorIndexInfo$ = [
  3,
  n0,
  _VII,
  0,
  [_IN, _VA, _SSe, _Pr, _D, _DF],
  [0, () => VectorAttributeDefinition$, () => SearchSchema, () => Projection$, 1, 0]
];
var VectorIndexUpdate$ = [
  3,
  n0,
  _VIUe,
  0,
  [_Cr, _Del],
  [() => CreateVectorIndexAction$, () => DeleteVectorIndexAction$]
];
var WarmThroughput$ = [
  3,
  n0,
  _WT,
  0,
  [_RUPS, _WUPS],
  [1, 1]
];
var WriteRequest$ = [
  3,
  n0,
  _WR,
  0,
  [_PR, _DR],
  [() => PutRequest$, () => DeleteRequest$]
];
var __Unit = "unit";
var AttributeDefinitions = [
  1,
  n0,
  _ADt,
  0,
  () => AttributeDefinition$
];
var AttributeNameList = 64 | 0;
var AttributeValueList = [
  1,
  n0,
  _AVL,
  0,
  () => AttributeValue$
];
var AutoScalingPolicyDescriptionList = [
  1,
  n0,
  _ASPDL,
  0,
  () => AutoScalingPolicyDescription$
];
var BackupSummaries = [
  1,
  n0,
  _BSac,
  0,
  () => BackupSummary$
];
var BinarySetAttributeValue = 64 | 21;
var BulkOperationsSummaryList = [
  1,
  n0,
  _BOSL,
  0,
  () => BulkOperationSummary$
];
var BulkOperationTableDetails = [
  1,
  n0,
  _BOTDu,
  0,
  () => BulkOperationTableDetail$
];
var BulkOperationUsageMultiple = [
  1,
  n0,
  _BOUM,
  0,
  () => BulkOperationUsage$
];
var CancellationReasonList = [
  1,
  n0,
  _CRL,
  0,
  () => CancellationReason$
];
var ConsumedCapacityMultiple = [
  1,
  n0,
  _CCM,
  0,
  () => ConsumedCapacity$
];
var ContributorInsightsRuleList = 64 | 0;
var ContributorInsightsSummaries = [
  1,
  n0,
  _CISon,
  0,
  () => ContributorInsightsSummary$
];
var CsvHeaderList = 64 | 0;
var Endpoints = [
  1,
  n0,
  _En,
  0,
  () => Endpoint$
];
var ExportSummaries = [
  1,
  n0,
  _ESxp,
  0,
  () => ExportSummary$
];
var GlobalSecondaryIndexAutoScalingUpdateList = [
  1,
  n0,
  _GSIASUL,
  0,
  () => GlobalSecondaryIndexAutoScalingUpdate$
];
var GlobalSecondaryIndexDescriptionList = [
  1,
  n0,
  _GSIDL,
  0,
  () => GlobalSecondaryIndexDescription$
];
var GlobalSecondaryIndexes = [
  1,
  n0,
  _GSI,
  0,
  () => GlobalSecondaryIndexInfo$
];
var GlobalSecondaryIndexList = [
  1,
  n0,
  _GSIL,
  0,
  () => GlobalSecondaryIndex$
];
var GlobalSecondaryIndexUpdateList = [
  1,
  n0,
  _GSIUL,
  0,
  () => GlobalSecondaryIndexUpdate$
];
var GlobalTableGlobalSecondaryIndexSettingsUpdateList = [
  1,
  n0,
  _GTGSISUL,
  0,
  () => GlobalTableGlobalSecondaryIndexSettingsUpdate$
];
var GlobalTableList = [
  1,
  n0,
  _GTL,
  0,
  () => GlobalTable$
];
var GlobalTableWitnessDescriptionList = [
  1,
  n0,
  _GTWDL,
  0,
  () => GlobalTableWitnessDescription$
];
var GlobalTableWitnessGroupUpdateList = [
  1,
  n0,
  _GTWGUL,
  0,
  () => GlobalTableWitnessGroupUpdate$
];
var ImportSummaryList = [
  1,
  n0,
  _ISL,
  0,
  () => ImportSummary$
];
var ItemCollectionMetricsMultiple = [
  1,
  n0,
  _ICMM,
  0,
  () => ItemCollectionMetrics$
];
var ItemCollectionSizeEstimateRange = 64 | 1;
var ItemList = [
  1,
  n0,
  _IL,
  0,
  () => AttributeMap
];
var ItemResponseList = [
  1,
  n0,
  _IRL,
  0,
  () => ItemResponse$
];
var KeyList = [
  1,
  n0,
  _KL,
  0,
  () => Key
];
var KeySchema = [
  1,
  n0,
  _KS,
  0,
  () => KeySchemaElement$
];
var KinesisDataStreamDestinations = [
  1,
  n0,
  _KDSD,
  0,
  () => KinesisDataStreamDestination$
];
var ListAttributeValue = [
  1,
  n0,
  _LAV,
  0,
  () => AttributeValue$
];
var LocalSecondaryIndexDescriptionList = [
  1,
  n0,
  _LSIDL,
  0,
  () => LocalSecondaryIndexDescription$
];
var LocalSecondaryIndexes = [
  1,
  n0,
  _LSI,
  0,
  () => LocalSecondaryIndexInfo$
];
var LocalSecondaryIndexList = [
  1,
  n0,
  _LSIL,
  0,
  () => LocalSecondaryIndex$
];
var NonKeyAttributeNameList = 64 | 0;
var NumberSetAttributeValue = 64 | 0;
var OutputTypeList = 64 | 0;
var ParameterizedStatements = [
  1,
  n0,
  _PSar,
  0,
  () => ParameterizedStatement$
];
var PartiQLBatchRequest = [
  1,
  n0,
  _PQLBR,
  0,
  () => BatchStatementRequest$
];
var PartiQLBatchResponse = [
  1,
  n0,
  _PQLBRa,
  0,
  () => BatchStatementResponse$
];
var PreparedStatementParameters = [
  1,
  n0,
  _PSP,
  0,
  () => AttributeValue$
];
var ReplicaAutoScalingDescriptionList = [
  1,
  n0,
  _RASDL,
  0,
  () => ReplicaAutoScalingDescription$
];
var ReplicaAutoScalingUpdateList = [
  1,
  n0,
  _RASUL,
  0,
  () => ReplicaAutoScalingUpdate$
];
var ReplicaDescriptionList = [
  1,
  n0,
  _RDL,
  0,
  () => ReplicaDescription$
];
var ReplicaGlobalSecondaryIndexAutoScalingDescriptionList = [
  1,
  n0,
  _RGSIASDL,
  0,
  () => ReplicaGlobalSecondaryIndexAutoScalingDescription$
];
var ReplicaGlobalSecondaryIndexAutoScalingUpdateList = [
  1,
  n0,
  _RGSIASUL,
  0,
  () => ReplicaGlobalSecondaryIndexAutoScalingUpdate$
];
var ReplicaGlobalSecondaryIndexDescriptionList = [
  1,
  n0,
  _RGSIDL,
  0,
  () => ReplicaGlobalSecondaryIndexDescription$
];
var ReplicaGlobalSecondaryIndexList = [
  1,
  n0,
  _RGSIL,
  0,
  () => ReplicaGlobalSecondaryIndex$
];
var ReplicaGlobalSecondaryIndexSettingsDescriptionList = [
  1,
  n0,
  _RGSISDL,
  0,
  () => ReplicaGlobalSecondaryIndexSettingsDescription$
];
var ReplicaGlobalSecondaryIndexSettingsUpdateList = [
  1,
  n0,
  _RGSISUL,
  0,
  () => ReplicaGlobalSecondaryIndexSettingsUpdate$
];
var ReplicaList = [
  1,
  n0,
  _RL,
  0,
  () => Replica$
];
var ReplicaSettingsDescriptionList = [
  1,
  n0,
  _RSDL,
  0,
  () => ReplicaSettingsDescription$
];
var ReplicaSettingsUpdateList = [
  1,
  n0,
  _RSUL,
  0,
  () => ReplicaSettingsUpdate$
];
var ReplicationGroupUpdateList = [
  1,
  n0,
  _RGUL,
  0,
  () => ReplicationGroupUpdate$
];
var ReplicaUpdateList = [
  1,
  n0,
  _RUL,
  0,
  () => ReplicaUpdate$
];
var SearchResultList = [
  1,
  n0,
  _SRL,
  0,
  () => SearchResultItem$
];
var SearchSchema = [
  1,
  n0,
  _SSe,
  0,
  () => SearchSchemaElement$
];
var SearchVectorList = [
  1,
  n0,
  _SVL,
  0,
  () => AttributeValue$
];
var StringSetAttributeValue = 64 | 0;
var TableNameList = 64 | 0;
var TagKeyList = 64 | 0;
var TagList = [
  1,
  n0,
  _TL,
  0,
  () => Tag$
];
var ThrottlingReasonList = [
  1,
  n0,
  _TRL,
  0,
  () => ThrottlingReason$
];
var TransactGetItemList = [
  1,
  n0,
  _TGIL,
  0,
  () => TransactGetItem$
];
var TransactWriteItemList = [
  1,
  n0,
  _TWIL,
  0,
  () => TransactWriteItem$
];
var VectorIndexDescriptionList = [
  1,
  n0,
  _VIDL,
  0,
  () => VectorIndexDescription$
];
var VectorIndexes = [
  1,
  n0,
  _VI,
  0,
  () => VectorIndexInfo$
];
var VectorIndexList = [
  1,
  n0,
  _VIL,
  0,
  () => VectorIndex$
];
var VectorIndexUpdateList = [
  1,
  n0,
  _VIUL,
  0,
  () => VectorIndexUpdate$
];
var WriteRequests = [
  1,
  n0,
  _WRr,
  0,
  () => WriteRequest$
];
var AttributeMap = [
  2,
  n0,
  _AM,
  0,
  0,
  () => AttributeValue$
];
var AttributeUpdates = [
  2,
  n0,
  _AU,
  0,
  0,
  () => AttributeValueUpdate$
];
var BatchGetRequestMap = [
  2,
  n0,
  _BGRMa,
  0,
  0,
  () => KeysAndAttributes$
];
var BatchGetResponseMap = [
  2,
  n0,
  _BGRM,
  0,
  0,
  () => ItemList
];
var BatchWriteItemRequestMap = [
  2,
  n0,
  _BWIRM,
  0,
  0,
  () => WriteRequests
];
var ExpectedAttributeMap = [
  2,
  n0,
  _EAM,
  0,
  0,
  () => ExpectedAttributeValue$
];
var ExpressionAttributeNameMap = 128 | 0;
var ExpressionAttributeValueMap = [
  2,
  n0,
  _EAVM,
  0,
  0,
  () => AttributeValue$
];
var FilterConditionMap = [
  2,
  n0,
  _FCM,
  0,
  0,
  () => Condition$
];
var ItemCollectionKeyAttributeMap = [
  2,
  n0,
  _ICKAM,
  0,
  0,
  () => AttributeValue$
];
var ItemCollectionMetricsPerTable = [
  2,
  n0,
  _ICMPT,
  0,
  0,
  () => ItemCollectionMetricsMultiple
];
var Key = [
  2,
  n0,
  _K,
  0,
  0,
  () => AttributeValue$
];
var KeyConditions = [
  2,
  n0,
  _KC,
  0,
  0,
  () => Condition$
];
var MapAttributeValue = [
  2,
  n0,
  _MAV,
  0,
  0,
  () => AttributeValue$
];
var PutItemInputAttributeMap = [
  2,
  n0,
  _PIIAM,
  0,
  0,
  () => AttributeValue$
];
var SecondaryIndexesBulkBytesMap = [
  2,
  n0,
  _SIBBM,
  0,
  0,
  () => BulkOperationBytes$
];
var SecondaryIndexesCapacityMap = [
  2,
  n0,
  _SICM,
  0,
  0,
  () => Capacity$
];
var VectorIndexesBulkVectorBytesMap = [
  2,
  n0,
  _VIBVBM,
  0,
  0,
  () => BulkOperationVectorBytes$
];
var VectorIndexesCapacityMap = [
  2,
  n0,
  _VICM,
  0,
  0,
  () => VectorCapacity$
];
var AttributeValue$ = [
  4,
  n0,
  _AV,
  0,
  [_S_, _N, _B_, _SS_, _NS, _BS_, _M_, _L_, _NULL, _BOOL],
  [0, 0, 21, 64 | 0, 64 | 0, 64 | 21, () => MapAttributeValue, () => ListAttributeValue, 2, 2]
];
var BatchExecuteStatement$ = [
  9,
  n0,
  _BES,
  0,
  () => BatchExecuteStatementInput$,
  () => BatchExecuteStatementOutput$
];
var BatchGetItem$ = [
  9,
  n0,
  _BGI,
  0,
  () => BatchGetItemInput$,
  () => BatchGetItemOutput$
];
var BatchWriteItem$ = [
  9,
  n0,
  _BWI,
  0,
  () => BatchWriteItemInput$,
  () => BatchWriteItemOutput$
];
var CancelBulkOperation$ = [
  9,
  n0,
  _CBOa,
  0,
  () => CancelBulkOperationInput$,
  () => CancelBulkOperationOutput$
];
var CreateBackup$ = [
  9,
  n0,
  _CB,
  0,
  () => CreateBackupInput$,
  () => CreateBackupOutput$
];
var CreateGlobalTable$ = [
  9,
  n0,
  _CGT,
  0,
  () => CreateGlobalTableInput$,
  () => CreateGlobalTableOutput$
];
var CreateTable$ = [
  9,
  n0,
  _CTr,
  0,
  () => CreateTableInput$,
  () => CreateTableOutput$
];
var DeleteBackup$ = [
  9,
  n0,
  _DB,
  0,
  () => DeleteBackupInput$,
  () => DeleteBackupOutput$
];
var DeleteItem$ = [
  9,
  n0,
  _DI,
  0,
  () => DeleteItemInput$,
  () => DeleteItemOutput$
];
var DeleteResourcePolicy$ = [
  9,
  n0,
  _DRP,
  0,
  () => DeleteResourcePolicyInput$,
  () => DeleteResourcePolicyOutput$
];
var DeleteTable$ = [
  9,
  n0,
  _DT,
  0,
  () => DeleteTableInput$,
  () => DeleteTableOutput$
];
var DescribeBackup$ = [
  9,
  n0,
  _DBe,
  0,
  () => DescribeBackupInput$,
  () => DescribeBackupOutput$
];
var DescribeBulkOperation$ = [
  9,
  n0,
  _DBOes,
  0,
  () => DescribeBulkOperationInput$,
  () => DescribeBulkOperationOutput$
];
var DescribeContinuousBackups$ = [
  9,
  n0,
  _DCB,
  0,
  () => DescribeContinuousBackupsInput$,
  () => DescribeContinuousBackupsOutput$
];
var DescribeContributorInsights$ = [
  9,
  n0,
  _DCI,
  0,
  () => DescribeContributorInsightsInput$,
  () => DescribeContributorInsightsOutput$
];
var DescribeEndpoints$ = [
  9,
  n0,
  _DE,
  0,
  () => DescribeEndpointsRequest$,
  () => DescribeEndpointsResponse$
];
var DescribeExport$ = [
  9,
  n0,
  _DEe,
  0,
  () => DescribeExportInput$,
  () => DescribeExportOutput$
];
var DescribeGlobalTable$ = [
  9,
  n0,
  _DGT,
  0,
  () => DescribeGlobalTableInput$,
  () => DescribeGlobalTableOutput$
];
var DescribeGlobalTableSettings$ = [
  9,
  n0,
  _DGTS,
  0,
  () => DescribeGlobalTableSettingsInput$,
  () => DescribeGlobalTableSettingsOutput$
];
var DescribeImport$ = [
  9,
  n0,
  _DIe,
  0,
  () => DescribeImportInput$,
  () => DescribeImportOutput$
];
var DescribeKinesisStreamingDestination$ = [
  9,
  n0,
  _DKSD,
  0,
  () => DescribeKinesisStreamingDestinationInput$,
  () => DescribeKinesisStreamingDestinationOutput$
];
var DescribeLimits$ = [
  9,
  n0,
  _DL,
  0,
  () => DescribeLimitsInput$,
  () => DescribeLimitsOutput$
];
var DescribeTable$ = [
  9,
  n0,
  _DTe,
  0,
  () => DescribeTableInput$,
  () => DescribeTableOutput$
];
var DescribeTableReplicaAutoScaling$ = [
  9,
  n0,
  _DTRAS,
  0,
  () => DescribeTableReplicaAutoScalingInput$,
  () => DescribeTableReplicaAutoScalingOutput$
];
var DescribeTimeToLive$ = [
  9,
  n0,
  _DTTL,
  0,
  () => DescribeTimeToLiveInput$,
  () => DescribeTimeToLiveOutput$
];
var DisableKinesisStreamingDestination$ = [
  9,
  n0,
  _DKSDi,
  0,
  () => KinesisStreamingDestinationInput$,
  () => KinesisStreamingDestinationOutput$
];
var EnableKinesisStreamingDestination$ = [
  9,
  n0,
  _EKSD,
  0,
  () => KinesisStreamingDestinationInput$,
  () => KinesisStreamingDestinationOutput$
];
var ExecuteStatement$ = [
  9,
  n0,
  _ESxe,
  0,
  () => ExecuteStatementInput$,
  () => ExecuteStatementOutput$
];
var ExecuteTransaction$ = [
  9,
  n0,
  _ETxe,
  0,
  () => ExecuteTransactionInput$,
  () => ExecuteTransactionOutput$
];
var ExportTableToPointInTime$ = [
  9,
  n0,
  _ETTPIT,
  0,
  () => ExportTableToPointInTimeInput$,
  () => ExportTableToPointInTimeOutput$
];
var GetItem$ = [
  9,
  n0,
  _GI,
  0,
  () => GetItemInput$,
  () => GetItemOutput$
];
var GetResourcePolicy$ = [
  9,
  n0,
  _GRP,
  0,
  () => GetResourcePolicyInput$,
  () => GetResourcePolicyOutput$
];
var ImportTable$ = [
  9,
  n0,
  _IT,
  0,
  () => ImportTableInput$,
  () => ImportTableOutput$
];
var ListBackups$ = [
  9,
  n0,
  _LB,
  0,
  () => ListBackupsInput$,
  () => ListBackupsOutput$
];
var ListBulkOperations$ = [
  9,
  n0,
  _LBOi,
  0,
  () => ListBulkOperationsInput$,
  () => ListBulkOperationsOutput$
];
var ListContributorInsights$ = [
  9,
  n0,
  _LCI,
  0,
  () => ListContributorInsightsInput$,
  () => ListContributorInsightsOutput$
];
var ListExports$ = [
  9,
  n0,
  _LE,
  0,
  () => ListExportsInput$,
  () => ListExportsOutput$
];
var ListGlobalTables$ = [
  9,
  n0,
  _LGT,
  0,
  () => ListGlobalTablesInput$,
  () => ListGlobalTablesOutput$
];
var ListImports$ = [
  9,
  n0,
  _LI,
  0,
  () => ListImportsInput$,
  () => ListImportsOutput$
];
var ListTables$ = [
  9,
  n0,
  _LT,
  0,
  () => ListTablesInput$,
  () => ListTablesOutput$
];
var ListTagsOfResource$ = [
  9,
  n0,
  _LTOR,
  0,
  () => ListTagsOfResourceInput$,
  () => ListTagsOfResourceOutput$
];
var PutItem$ = [
  9,
  n0,
  _PI,
  0,
  () => PutItemInput$,
  () => PutItemOutput$
];
var PutResourcePolicy$ = [
  9,
  n0,
  _PRP,
  0,
  () => PutResourcePolicyInput$,
  () => PutResourcePolicyOutput$
];
var Query$ = [
  9,
  n0,
  _Q,
  0,
  () => QueryInput$,
  () => QueryOutput$
];
var RestoreTableFromBackup$ = [
  9,
  n0,
  _RTFB,
  0,
  () => RestoreTableFromBackupInput$,
  () => RestoreTableFromBackupOutput$
];
var RestoreTableToPointInTime$ = [
  9,
  n0,
  _RTTPIT,
  0,
  () => RestoreTableToPointInTimeInput$,
  () => RestoreTableToPointInTimeOutput$
];
var Scan$ = [
  9,
  n0,
  _Sca,
  0,
  () => ScanInput$,
  () => ScanOutput$
];
var SearchVectors$ = [
  9,
  n0,
  _SVe,
  0,
  () => SearchVectorsInput$,
  () => SearchVectorsOutput$
];
var StartBulkPutItems$ = [
  9,
  n0,
  _SBPI,
  0,
  () => StartBulkPutItemsInput$,
  () => StartBulkPutItemsOutput$
];
var TagResource$ = [
  9,
  n0,
  _TRa,
  0,
  () => TagResourceInput$,
  () => __Unit
];
var TransactGetItems$ = [
  9,
  n0,
  _TGIr,
  0,
  () => TransactGetItemsInput$,
  () => TransactGetItemsOutput$
];
var TransactWriteItems$ = [
  9,
  n0,
  _TWIr,
  0,
  () => TransactWriteItemsInput$,
  () => TransactWriteItemsOutput$
];
var UntagResource$ = [
  9,
  n0,
  _UR,
  0,
  () => UntagResourceInput$,
  () => __Unit
];
var UpdateContinuousBackups$ = [
  9,
  n0,
  _UCB,
  0,
  () => UpdateContinuousBackupsInput$,
  () => UpdateContinuousBackupsOutput$
];
var UpdateContributorInsights$ = [
  9,
  n0,
  _UCI,
  0,
  () => UpdateContributorInsightsInput$,
  () => UpdateContributorInsightsOutput$
];
var UpdateGlobalTable$ = [
  9,
  n0,
  _UGT,
  0,
  () => UpdateGlobalTableInput$,
  () => UpdateGlobalTableOutput$
];
var UpdateGlobalTableSettings$ = [
  9,
  n0,
  _UGTS,
  0,
  () => UpdateGlobalTableSettingsInput$,
  () => UpdateGlobalTableSettingsOutput$
];
var UpdateItem$ = [
  9,
  n0,
  _UIp,
  0,
  () => UpdateItemInput$,
  () => UpdateItemOutput$
];
var UpdateKinesisStreamingDestination$ = [
  9,
  n0,
  _UKSD,
  0,
  () => UpdateKinesisStreamingDestinationInput$,
  () => UpdateKinesisStreamingDestinationOutput$
];
var UpdateTable$ = [
  9,
  n0,
  _UT,
  0,
  () => UpdateTableInput$,
  () => UpdateTableOutput$
];
var UpdateTableReplicaAutoScaling$ = [
  9,
  n0,
  _UTRAS,
  0,
  () => UpdateTableReplicaAutoScalingInput$,
  () => UpdateTableReplicaAutoScalingOutput$
];
var UpdateTimeToLive$ = [
  9,
  n0,
  _UTTL,
  0,
  () => UpdateTimeToLiveInput$,
  () => UpdateTimeToLiveOutput$
];

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeEndpointsCommand.js
var DescribeEndpointsCommand = class extends command(_ep0, _mw0, "DescribeEndpoints", DescribeEndpoints$) {
};

// node_modules/@aws-sdk/client-dynamodb/package.json
var package_default = { version: "3.1162.0" };

// infra/build/environment-credentials.ts
var defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.");
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN
  };
};

// node_modules/@smithy/node-http-handler/dist-es/build-abort-error.js
function buildAbortError(abortSignal) {
  const reason = abortSignal && typeof abortSignal === "object" && "reason" in abortSignal ? abortSignal.reason : void 0;
  if (reason) {
    if (reason instanceof Error) {
      const abortError3 = new Error("Request aborted");
      abortError3.name = "AbortError";
      abortError3.cause = reason;
      return abortError3;
    }
    const abortError2 = new Error(String(reason));
    abortError2.name = "AbortError";
    return abortError2;
  }
  const abortError = new Error("Request aborted");
  abortError.name = "AbortError";
  return abortError;
}

// node_modules/@smithy/node-http-handler/dist-es/constants.js
var NODEJS_TIMEOUT_ERROR_CODES2 = ["ECONNRESET", "EPIPE", "ETIMEDOUT"];

// node_modules/@smithy/node-http-handler/dist-es/get-transformed-headers.js
var getTransformedHeaders = (headers) => {
  const transformedHeaders = {};
  for (const name in headers) {
    if (!hasOwn(headers, name)) {
      continue;
    }
    const headerValues = headers[name];
    transformedHeaders[name] = Array.isArray(headerValues) ? headerValues.join(",") : headerValues;
  }
  return transformedHeaders;
};

// node_modules/@smithy/node-http-handler/dist-es/node-https.js
var import_node_https = __toESM(require("node:https"));

// node_modules/@smithy/node-http-handler/dist-es/timing.js
var timing = {
  setTimeout: (cb, ms) => setTimeout(cb, ms),
  clearTimeout: (timeoutId) => clearTimeout(timeoutId)
};

// node_modules/@smithy/node-http-handler/dist-es/set-connection-timeout.js
var DEFER_EVENT_LISTENER_TIME = 1e3;
var setConnectionTimeout = (request, reject, timeoutInMs = 0) => {
  if (!timeoutInMs) {
    return -1;
  }
  const registerTimeout = (offset) => {
    const timeoutId = timing.setTimeout(() => {
      request.destroy();
      reject(Object.assign(new Error(`@smithy/node-http-handler - the request socket did not establish a connection with the server within the configured timeout of ${timeoutInMs} ms.`), {
        name: "TimeoutError"
      }));
    }, timeoutInMs - offset);
    const doWithSocket = (socket) => {
      if (socket?.connecting) {
        socket.on("connect", () => {
          timing.clearTimeout(timeoutId);
        });
      } else {
        timing.clearTimeout(timeoutId);
      }
    };
    if (request.socket) {
      doWithSocket(request.socket);
    } else {
      request.on("socket", doWithSocket);
    }
  };
  if (timeoutInMs < 2e3) {
    registerTimeout(0);
    return 0;
  }
  return timing.setTimeout(registerTimeout.bind(null, DEFER_EVENT_LISTENER_TIME), DEFER_EVENT_LISTENER_TIME);
};

// node_modules/@smithy/node-http-handler/dist-es/set-request-timeout.js
var setRequestTimeout = (req, reject, timeoutInMs = 0, throwOnRequestTimeout, logger) => {
  if (timeoutInMs) {
    return timing.setTimeout(() => {
      let msg = `@smithy/node-http-handler - [${throwOnRequestTimeout ? "ERROR" : "WARN"}] a request has exceeded the configured ${timeoutInMs} ms requestTimeout.`;
      if (throwOnRequestTimeout) {
        const error = Object.assign(new Error(msg), {
          name: "TimeoutError",
          code: "ETIMEDOUT"
        });
        req.destroy(error);
        reject(error);
      } else {
        msg += ` Init client requestHandler with throwOnRequestTimeout=true to turn this into an error.`;
        logger?.warn?.(msg);
      }
    }, timeoutInMs);
  }
  return -1;
};

// node_modules/@smithy/node-http-handler/dist-es/set-socket-keep-alive.js
var DEFER_EVENT_LISTENER_TIME2 = 3e3;
var setSocketKeepAlive = (request, { keepAlive, keepAliveMsecs }, deferTimeMs = DEFER_EVENT_LISTENER_TIME2) => {
  if (keepAlive !== true) {
    return -1;
  }
  const registerListener = () => {
    if (request.socket) {
      request.socket.setKeepAlive(keepAlive, keepAliveMsecs || 0);
    } else {
      request.on("socket", (socket) => {
        socket.setKeepAlive(keepAlive, keepAliveMsecs || 0);
      });
    }
  };
  if (deferTimeMs === 0) {
    registerListener();
    return 0;
  }
  return timing.setTimeout(registerListener, deferTimeMs);
};

// node_modules/@smithy/node-http-handler/dist-es/resolve-default-socket-timeout.js
var resolveDefaultSocketTimeout = (config) => {
  const value = config?.defaultSocketTimeout;
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : void 0;
};

// node_modules/@smithy/node-http-handler/dist-es/set-socket-timeout.js
var DEFER_EVENT_LISTENER_TIME3 = 3e3;
var setSocketTimeout = (request, reject, timeoutInMs = 0, isServiceDefault = false) => {
  if (!Number.isFinite(timeoutInMs) || timeoutInMs <= 0) {
    return;
  }
  let response;
  request.once("response", (res) => response = res);
  const onTimeout = () => {
    if (response?.complete) {
      request.socket?.destroy();
      return;
    }
    const error = Object.assign(new Error(`@smithy/node-http-handler - the request socket timed out after ${timeoutInMs} ms of inactivity (${isServiceDefault ? "service default socket timeout" : "configured by client requestHandler"}).`), { name: "TimeoutError" });
    response?.destroy(error);
    request.destroy();
    reject(error);
  };
  const registerTimeout = () => {
    const { socket } = request;
    if (!socket) {
      request.once("socket", registerTimeout);
    } else if (socket.connecting) {
      socket.once("connect", registerTimeout);
    } else {
      socket.setTimeout(timeoutInMs, onTimeout);
      request.on("close", () => socket.removeListener("timeout", onTimeout));
    }
  };
  if (timeoutInMs < 6e3) {
    registerTimeout();
    return;
  }
  const deferralId = timing.setTimeout(registerTimeout, DEFER_EVENT_LISTENER_TIME3);
  request.once("close", () => timing.clearTimeout(deferralId));
};

// node_modules/@smithy/node-http-handler/dist-es/write-request-body.js
var import_node_stream3 = require("node:stream");
var MIN_WAIT_TIME = 6e3;
async function writeRequestBody(httpRequest, request, maxContinueTimeoutMs = MIN_WAIT_TIME, externalAgent = false) {
  const headers = request.headers;
  const expect = headers ? headers.Expect || headers.expect : void 0;
  let timeoutId = -1;
  let sendBody = true;
  if (!externalAgent && expect === "100-continue") {
    sendBody = await Promise.race([
      new Promise((resolve) => {
        timeoutId = Number(timing.setTimeout(() => resolve(true), Math.max(MIN_WAIT_TIME, maxContinueTimeoutMs)));
      }),
      new Promise((resolve) => {
        httpRequest.on("continue", () => {
          timing.clearTimeout(timeoutId);
          resolve(true);
        });
        httpRequest.on("response", () => {
          timing.clearTimeout(timeoutId);
          resolve(false);
        });
        httpRequest.on("error", () => {
          timing.clearTimeout(timeoutId);
          resolve(false);
        });
      })
    ]);
  }
  if (sendBody) {
    writeBody(httpRequest, request.body);
  }
}
function writeBody(httpRequest, body) {
  if (body instanceof import_node_stream3.Readable) {
    body.pipe(httpRequest);
    return;
  }
  if (body) {
    const isBuffer = Buffer.isBuffer(body);
    const isString = typeof body === "string";
    if (isBuffer || isString) {
      if (isBuffer && body.byteLength === 0) {
        httpRequest.end();
      } else {
        httpRequest.end(body);
      }
      return;
    }
    const uint8 = body;
    if (typeof uint8 === "object" && uint8.buffer && typeof uint8.byteOffset === "number" && typeof uint8.byteLength === "number") {
      httpRequest.end(Buffer.from(uint8.buffer, uint8.byteOffset, uint8.byteLength));
      return;
    }
    httpRequest.end(Buffer.from(body));
    return;
  }
  httpRequest.end();
}

// node_modules/@smithy/node-http-handler/dist-es/node-http-handler.js
var hAgent = void 0;
var hRequest = void 0;
var NodeHttpHandler = class _NodeHttpHandler {
  config;
  configProvider;
  socketWarningTimestamp = 0;
  externalAgent = false;
  metadata = { handlerProtocol: "http/1.1" };
  static create(instanceOrOptions) {
    if (typeof instanceOrOptions?.handle === "function") {
      return instanceOrOptions;
    }
    return new _NodeHttpHandler(instanceOrOptions);
  }
  static checkSocketUsage(agent, socketWarningTimestamp, logger = console) {
    const { sockets, requests, maxSockets } = agent;
    if (typeof maxSockets !== "number" || maxSockets === Infinity) {
      return socketWarningTimestamp;
    }
    const interval = 15e3;
    if (Date.now() - interval < socketWarningTimestamp) {
      return socketWarningTimestamp;
    }
    if (sockets && requests) {
      for (const origin in sockets) {
        if (!hasOwn(sockets, origin)) {
          continue;
        }
        const socketsInUse = sockets[origin]?.length ?? 0;
        const requestsEnqueued = requests[origin]?.length ?? 0;
        if (socketsInUse >= maxSockets && requestsEnqueued >= 2 * maxSockets) {
          logger?.warn?.(`@smithy/node-http-handler:WARN - socket usage at capacity=${socketsInUse} and ${requestsEnqueued} additional requests are enqueued.
See https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/node-configuring-maxsockets.html
or increase socketAcquisitionWarningTimeout=(millis) in the NodeHttpHandler config.`);
          return Date.now();
        }
      }
    }
    return socketWarningTimestamp;
  }
  constructor(options) {
    this.configProvider = new Promise((resolve, reject) => {
      if (typeof options === "function") {
        options().then((_options) => {
          resolve(this.resolveDefaultConfig(_options));
        }).catch(reject);
      } else {
        resolve(this.resolveDefaultConfig(options));
      }
    });
  }
  destroy() {
    this.config?.httpAgent?.destroy();
    this.config?.httpsAgent?.destroy();
  }
  async handle(request, { abortSignal, requestTimeout } = {}) {
    if (!this.config) {
      this.config = await this.configProvider;
    }
    const config = this.config;
    const logger = config.logger;
    const isSSL = request.protocol === "https:";
    if (!isSSL && !this.config.httpAgent) {
      this.config.httpAgent = await this.config.httpAgentProvider();
    }
    return new Promise((_resolve, _reject) => {
      let writeRequestBodyPromise = void 0;
      let socketWarningTimeoutId = -1;
      let connectionTimeoutId = -1;
      let requestTimeoutId = -1;
      let keepAliveTimeoutId = -1;
      const clearTimeouts = () => {
        timing.clearTimeout(socketWarningTimeoutId);
        timing.clearTimeout(connectionTimeoutId);
        timing.clearTimeout(requestTimeoutId);
        timing.clearTimeout(keepAliveTimeoutId);
      };
      const resolve = async (arg) => {
        await writeRequestBodyPromise;
        clearTimeouts();
        _resolve(arg);
      };
      const reject = async (arg) => {
        await writeRequestBodyPromise;
        clearTimeouts();
        _reject(arg);
      };
      if (abortSignal?.aborted) {
        const abortError = buildAbortError(abortSignal);
        reject(abortError);
        return;
      }
      const headers = request.headers;
      const expectContinue = headers ? (headers.Expect ?? headers.expect) === "100-continue" : false;
      let agent = isSSL ? config.httpsAgent : config.httpAgent;
      if (expectContinue && !this.externalAgent) {
        agent = new (isSSL ? import_node_https.default.Agent : hAgent)({
          keepAlive: false,
          maxSockets: Infinity
        });
      }
      socketWarningTimeoutId = timing.setTimeout(() => {
        this.socketWarningTimestamp = _NodeHttpHandler.checkSocketUsage(agent, this.socketWarningTimestamp, logger);
      }, config.socketAcquisitionWarningTimeout ?? (config.requestTimeout ?? 2e3) + (config.connectionTimeout ?? 1e3));
      const queryString = request.query ? buildQueryString(request.query) : "";
      let auth = void 0;
      if (request.username != null || request.password != null) {
        const username = request.username ?? "";
        const password = request.password ?? "";
        auth = `${username}:${password}`;
      }
      let path = request.path;
      if (queryString) {
        path += `?${queryString}`;
      }
      if (request.fragment) {
        path += `#${request.fragment}`;
      }
      let hostname = request.hostname ?? "";
      if (hostname[0] === "[" && hostname.endsWith("]")) {
        hostname = request.hostname.slice(1, -1);
      } else {
        hostname = request.hostname;
      }
      const nodeHttpsOptions = {
        headers: request.headers,
        host: hostname,
        method: request.method,
        path,
        port: request.port,
        agent,
        auth
      };
      const requestFunc = isSSL ? import_node_https.default.request : hRequest;
      const req = requestFunc(nodeHttpsOptions, (res) => {
        const httpResponse = new HttpResponse({
          statusCode: res.statusCode || -1,
          reason: res.statusMessage,
          headers: getTransformedHeaders(res.headers),
          body: res
        });
        resolve({ response: httpResponse });
      });
      req.on("error", (err2) => {
        if (NODEJS_TIMEOUT_ERROR_CODES2.includes(err2.code)) {
          reject(Object.assign(err2, { name: "TimeoutError" }));
        } else {
          reject(err2);
        }
      });
      if (abortSignal) {
        const onAbort = () => {
          req.destroy();
          const abortError = buildAbortError(abortSignal);
          reject(abortError);
        };
        if (typeof abortSignal.addEventListener === "function") {
          const signal = abortSignal;
          signal.addEventListener("abort", onAbort, { once: true });
          req.once("close", () => signal.removeEventListener("abort", onAbort));
        } else {
          abortSignal.onabort = onAbort;
        }
      }
      const effectiveRequestTimeout = requestTimeout ?? config.requestTimeout;
      connectionTimeoutId = setConnectionTimeout(req, reject, config.connectionTimeout);
      requestTimeoutId = setRequestTimeout(req, reject, effectiveRequestTimeout, config.throwOnRequestTimeout, logger ?? console);
      const defaultSocketTimeout = config.socketTimeout === void 0 ? resolveDefaultSocketTimeout(config) : void 0;
      if (defaultSocketTimeout) {
        setSocketTimeout(req, reject, defaultSocketTimeout, true);
      } else {
        setSocketTimeout(req, reject, config.socketTimeout);
      }
      const httpAgent = nodeHttpsOptions.agent;
      if (typeof httpAgent === "object" && "keepAlive" in httpAgent) {
        keepAliveTimeoutId = setSocketKeepAlive(req, {
          keepAlive: httpAgent.keepAlive,
          keepAliveMsecs: httpAgent.keepAliveMsecs
        });
      }
      writeRequestBodyPromise = writeRequestBody(req, request, effectiveRequestTimeout, this.externalAgent).catch((e3) => {
        clearTimeouts();
        return _reject(e3);
      });
    });
  }
  updateHttpClientConfig(key, value) {
    this.config = void 0;
    this.configProvider = this.configProvider.then((config) => {
      switch (key) {
        case /* @__PURE__ */ Symbol.for("logger"):
          key = "logger";
          value = config.logger ?? value;
          break;
        case /* @__PURE__ */ Symbol.for("@smithy/defaultSocketTimeout"):
          key = "defaultSocketTimeout";
          value = resolveDefaultSocketTimeout(config) ?? value;
          break;
      }
      return {
        ...config,
        [key]: value
      };
    });
  }
  httpHandlerConfigs() {
    return this.config ?? {};
  }
  resolveDefaultConfig(options) {
    const { requestTimeout, connectionTimeout, socketTimeout, socketAcquisitionWarningTimeout, httpAgent, httpsAgent, throwOnRequestTimeout, logger } = options || {};
    const keepAlive = true;
    const maxSockets = 50;
    let httpAgentPromise;
    return {
      connectionTimeout,
      requestTimeout,
      socketTimeout,
      defaultSocketTimeout: resolveDefaultSocketTimeout(options),
      socketAcquisitionWarningTimeout,
      throwOnRequestTimeout,
      httpAgentProvider: () => httpAgentPromise ??= (async () => {
        const node_http = await Promise.resolve().then(() => __toESM(require("node:http")));
        const { Agent, request } = node_http.default ?? node_http;
        hRequest = request;
        hAgent = Agent;
        if (httpAgent instanceof hAgent || typeof httpAgent?.destroy === "function") {
          this.externalAgent = true;
          return httpAgent;
        }
        return new hAgent({ keepAlive, maxSockets, ...httpAgent });
      })(),
      httpsAgent: (() => {
        if (httpsAgent instanceof import_node_https.default.Agent || typeof httpsAgent?.destroy === "function") {
          this.externalAgent = true;
          return httpsAgent;
        }
        return new import_node_https.default.Agent({ keepAlive, maxSockets, ...httpsAgent });
      })(),
      logger
    };
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/protocols/ProtocolLib.js
var ProtocolLib = class {
  queryCompat;
  errorRegistry;
  constructor(queryCompat = false) {
    this.queryCompat = queryCompat;
  }
  resolveRestContentType(defaultContentType, inputSchema) {
    const members = inputSchema.getMemberSchemas();
    const httpPayloadMember = Object.values(members).find((m2) => {
      return !!m2.getMergedTraits().httpPayload;
    });
    if (httpPayloadMember) {
      const mediaType = httpPayloadMember.getMergedTraits().mediaType;
      if (mediaType) {
        return mediaType;
      } else if (httpPayloadMember.isStringSchema()) {
        return "text/plain";
      } else if (httpPayloadMember.isBlobSchema()) {
        return "application/octet-stream";
      } else {
        return defaultContentType;
      }
    } else if (!inputSchema.isUnitSchema()) {
      const hasBody = Object.values(members).find((m2) => {
        const { httpQuery, httpQueryParams, httpHeader, httpLabel, httpPrefixHeaders } = m2.getMergedTraits();
        const noPrefixHeaders = httpPrefixHeaders === void 0;
        return !httpQuery && !httpQueryParams && !httpHeader && !httpLabel && noPrefixHeaders;
      });
      if (hasBody) {
        return defaultContentType;
      }
    }
  }
  async getErrorSchemaOrThrowBaseException(errorIdentifier, defaultNamespace, response, dataObject, metadata, getErrorSchema) {
    let errorName = errorIdentifier;
    if (errorIdentifier.includes("#")) {
      [, errorName] = errorIdentifier.split("#");
    }
    const errorMetadata = {
      $metadata: metadata,
      $fault: response.statusCode < 500 ? "client" : "server"
    };
    if (!this.errorRegistry) {
      throw new Error("@aws-sdk/core/protocols - error handler not initialized.");
    }
    try {
      const errorSchema = getErrorSchema?.(this.errorRegistry, errorName) ?? this.errorRegistry.getSchema(errorIdentifier);
      return { errorSchema, errorMetadata };
    } catch (e3) {
      dataObject.message = dataObject.message ?? dataObject.Message ?? "UnknownError";
      const synthetic = this.errorRegistry;
      const baseExceptionSchema = synthetic.getBaseException();
      if (baseExceptionSchema) {
        const ErrorCtor = synthetic.getErrorCtor(baseExceptionSchema) ?? Error;
        throw this.decorateServiceException(Object.assign(new ErrorCtor({ name: errorName }), errorMetadata), dataObject);
      }
      const d3 = dataObject;
      const message = d3?.message ?? d3?.Message ?? d3?.Error?.Message ?? d3?.Error?.message;
      throw this.decorateServiceException(Object.assign(new Error(message), {
        name: errorName
      }, errorMetadata), dataObject);
    }
  }
  compose(composite, errorIdentifier, defaultNamespace) {
    let namespace = defaultNamespace;
    if (errorIdentifier.includes("#")) {
      [namespace] = errorIdentifier.split("#");
    }
    const staticRegistry = TypeRegistry.for(namespace);
    const defaultSyntheticRegistry = TypeRegistry.for("smithy.ts.sdk.synthetic." + defaultNamespace);
    composite.copyFrom(staticRegistry);
    composite.copyFrom(defaultSyntheticRegistry);
    this.errorRegistry = composite;
  }
  decorateServiceException(exception, additions = {}) {
    if (this.queryCompat) {
      const msg = exception.Message ?? additions.Message;
      const error = decorateServiceException(exception, additions);
      if (msg) {
        error.message = msg;
      }
      const errorObj = error.Error ?? {};
      errorObj.Type = error.Error?.Type;
      errorObj.Code = error.Error?.Code;
      errorObj.Message = error.Error?.message ?? error.Error?.Message ?? msg;
      error.Error = errorObj;
      const reqId = error.$metadata.requestId;
      if (reqId) {
        error.RequestId = reqId;
      }
      return error;
    }
    return decorateServiceException(exception, additions);
  }
  setQueryCompatError(output, response) {
    const queryErrorHeader = response.headers?.["x-amzn-query-error"];
    if (output !== void 0 && queryErrorHeader != null) {
      const [Code, Type] = queryErrorHeader.split(";");
      const keys = Object.keys(output);
      const Error2 = {
        Code,
        Type
      };
      output.Code = Code;
      output.Type = Type;
      for (let i3 = 0; i3 < keys.length; i3++) {
        const k3 = keys[i3];
        Error2[k3 === "message" ? "Message" : k3] = output[k3];
      }
      delete Error2.__type;
      output.Error = Error2;
    }
  }
  queryCompatOutput(queryCompatErrorData, errorData) {
    if (queryCompatErrorData.Error) {
      errorData.Error = queryCompatErrorData.Error;
    }
    if (queryCompatErrorData.Type) {
      errorData.Type = queryCompatErrorData.Type;
    }
    if (queryCompatErrorData.Code) {
      errorData.Code = queryCompatErrorData.Code;
    }
  }
  findQueryCompatibleError(registry, errorName) {
    try {
      return registry.getSchema(errorName);
    } catch (e3) {
      return registry.find((schema) => NormalizedSchema.of(schema).getMergedTraits().awsQueryError?.[0] === errorName);
    }
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/protocols/json/AwsJsonRpcProtocol.js
var AwsJsonRpcProtocol = class extends RpcProtocol {
  serializer;
  deserializer;
  serviceTarget;
  codec;
  mixin;
  awsQueryCompatible;
  constructor({ defaultNamespace, errorTypeRegistries: errorTypeRegistries3, serviceTarget, awsQueryCompatible, jsonCodec }) {
    super({
      defaultNamespace,
      errorTypeRegistries: errorTypeRegistries3
    });
    this.serviceTarget = serviceTarget;
    this.codec = jsonCodec ?? new JsonCodec2({
      timestampFormat: {
        useTrait: true,
        default: 7
      },
      jsonName: false
    });
    this.serializer = this.codec.createSerializer();
    this.deserializer = this.codec.createDeserializer();
    this.awsQueryCompatible = !!awsQueryCompatible;
    this.mixin = new ProtocolLib(this.awsQueryCompatible);
  }
  async serializeRequest(operationSchema, input, context) {
    const request = await super.serializeRequest(operationSchema, input, context);
    if (!request.path.endsWith("/")) {
      request.path += "/";
    }
    request.headers["content-type"] = `application/x-amz-json-${this.getJsonRpcVersion()}`;
    request.headers["x-amz-target"] = `${this.serviceTarget}.${operationSchema.name}`;
    if (this.awsQueryCompatible) {
      request.headers["x-amzn-query-mode"] = "true";
    }
    if (deref(operationSchema.input) === "unit" || !request.body) {
      request.body = "{}";
    }
    return request;
  }
  getPayloadCodec() {
    return this.codec;
  }
  async handleError(operationSchema, context, response, dataObject, metadata) {
    const { awsQueryCompatible } = this;
    if (awsQueryCompatible) {
      this.mixin.setQueryCompatError(dataObject, response);
    }
    const errorIdentifier = loadJsonRpcErrorCode(response, dataObject, awsQueryCompatible) ?? "Unknown";
    this.mixin.compose(this.compositeErrorRegistry, errorIdentifier, this.options.defaultNamespace);
    const { errorSchema, errorMetadata } = await this.mixin.getErrorSchemaOrThrowBaseException(errorIdentifier, this.options.defaultNamespace, response, dataObject, metadata, awsQueryCompatible ? this.mixin.findQueryCompatibleError : void 0);
    const ns = NormalizedSchema.of(errorSchema);
    const message = dataObject.message ?? dataObject.Message ?? "UnknownError";
    const ErrorCtor = this.compositeErrorRegistry.getErrorCtor(errorSchema) ?? Error;
    const exception = new ErrorCtor({});
    const output = {};
    const errorDeserializer = this.codec.createDeserializer();
    for (const [name, member2] of ns.structIterator()) {
      if (dataObject[name] != null) {
        output[name] = errorDeserializer.readObject(member2, dataObject[name]);
      }
    }
    if (awsQueryCompatible) {
      this.mixin.queryCompatOutput(dataObject, output);
    }
    throw this.mixin.decorateServiceException(Object.assign(exception, errorMetadata, {
      $fault: ns.getMergedTraits().error,
      message
    }, output), dataObject);
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/protocols/json/AwsJson1_0Protocol.js
var AwsJson1_0Protocol = class extends AwsJsonRpcProtocol {
  constructor({ defaultNamespace, errorTypeRegistries: errorTypeRegistries3, serviceTarget, awsQueryCompatible, jsonCodec }) {
    super({
      defaultNamespace,
      errorTypeRegistries: errorTypeRegistries3,
      serviceTarget,
      awsQueryCompatible,
      jsonCodec
    });
  }
  getShapeId() {
    return "aws.protocols#awsJson1_0";
  }
  getJsonRpcVersion() {
    return "1.0";
  }
  getDefaultContentType() {
    return "application/x-amz-json-1.0";
  }
};

// node_modules/@aws-sdk/core/dist-es/submodules/protocols/json/AwsJson1_1Protocol.js
var AwsJson1_1Protocol = class extends AwsJsonRpcProtocol {
  constructor({ defaultNamespace, errorTypeRegistries: errorTypeRegistries3, serviceTarget, awsQueryCompatible, jsonCodec }) {
    super({
      defaultNamespace,
      errorTypeRegistries: errorTypeRegistries3,
      serviceTarget,
      awsQueryCompatible,
      jsonCodec
    });
  }
  getShapeId() {
    return "aws.protocols#awsJson1_1";
  }
  getJsonRpcVersion() {
    return "1.1";
  }
  getDefaultContentType() {
    return "application/x-amz-json-1.1";
  }
};

// node_modules/@aws-sdk/dynamodb-codec/dist-es/codec-v2/DynamoDBJsonCodec2.js
var ATTRIBUTE_VALUE = "com.amazonaws.dynamodb#AttributeValue";
var DynamoDBJsonShapeSerializer2 = class extends JsonShapeSerializer2 {
  writeValue(schema, value, container) {
    if (value != null && typeof value === "object") {
      const ns = NormalizedSchema.of(schema);
      if (ns.isStructSchema() && ns.getName(true) === ATTRIBUTE_VALUE) {
        this.writeAttributeValue(value);
        return;
      }
    }
    super.writeValue(schema, value, container);
  }
  writeAttributeValue(av) {
    const base64Encode = this.serdeContext?.base64Encoder ?? toBase64;
    this.writeAscii("{");
    let first = true;
    for (const key in av) {
      const val = av[key];
      if (val == null) {
        continue;
      }
      if (!first) {
        this.writeAscii(",");
      }
      first = false;
      this.writeAsciiQuoted(key);
      this.writeAscii(":");
      switch (key) {
        case "B":
          if (val instanceof Uint8Array) {
            this.writeBase64(val);
          } else {
            this.writeJsonString(val);
          }
          break;
        case "BS":
          this.writeAscii("[");
          {
            const arr = val;
            for (let i3 = 0; i3 < arr.length; i3++) {
              if (i3 > 0) {
                this.writeAscii(",");
              }
              const item = arr[i3];
              if (item instanceof Uint8Array) {
                this.writeBase64(item);
              } else {
                this.writeJsonString(base64Encode(item));
              }
            }
          }
          this.writeAscii("]");
          break;
        case "L":
          this.writeAscii("[");
          {
            const arr = val;
            for (let i3 = 0; i3 < arr.length; i3++) {
              if (i3 > 0) {
                this.writeAscii(",");
              }
              if (arr[i3] != null) {
                this.writeAttributeValue(arr[i3]);
              } else {
                this.writeAscii("null");
              }
            }
          }
          this.writeAscii("]");
          break;
        case "M":
          this.writeAscii("{");
          {
            const map = val;
            let mapFirst = true;
            for (const k3 in map) {
              if (map[k3] == null) {
                continue;
              }
              if (!mapFirst) {
                this.writeAscii(",");
              }
              mapFirst = false;
              this.writeJsonString(k3);
              this.writeAscii(":");
              this.writeAttributeValue(map[k3]);
            }
          }
          this.writeAscii("}");
          break;
        case "SS":
        case "NS":
          this.writeAscii("[");
          {
            const arr = val;
            for (let i3 = 0; i3 < arr.length; i3++) {
              if (i3 > 0) {
                this.writeAscii(",");
              }
              this.writeJsonString(arr[i3]);
            }
          }
          this.writeAscii("]");
          break;
        case "S":
        case "N":
          this.writeJsonString(val);
          break;
        case "BOOL":
          this.writeAscii(val ? "true" : "false");
          break;
        case "NULL":
          this.writeAscii(val ? "true" : "false");
          break;
        default:
          this.writeAscii(JSON.stringify(val));
          break;
      }
    }
    this.writeAscii("}");
  }
};
var DynamoDBJsonShapeDeserializer2 = class extends JsonShapeDeserializer2 {
  _read(schema, value) {
    const ns = NormalizedSchema.of(schema);
    if (ns.isStructSchema() && ns.getName(true) === ATTRIBUTE_VALUE) {
      if (value && typeof value === "object") {
        return this.readAttributeValue(value);
      }
    }
    return super._read(ns, value);
  }
  readAttributeValue(av) {
    const base64Decode = this.serdeContext?.base64Decoder ?? fromBase64;
    const out = av;
    if (typeof av.B === "string") {
      out.B = base64Decode(av.B);
    }
    if (Array.isArray(av.BS)) {
      out.BS = av.BS.map(base64Decode);
    }
    if (Array.isArray(av.L)) {
      out.L = av.L.map((v2) => this.readAttributeValue(v2));
    }
    if (av.M && typeof av.M === "object") {
      const m2 = av.M;
      for (const k3 in m2) {
        m2[k3] = this.readAttributeValue(m2[k3]);
      }
    }
    return out;
  }
};
var DynamoDBJsonCodec2 = class extends JsonCodec2 {
  constructor() {
    super({
      timestampFormat: {
        useTrait: true,
        default: 7
      },
      jsonName: false
    });
  }
  createSerializer() {
    const serializer = new DynamoDBJsonShapeSerializer2(this.settings);
    serializer.setSerdeContext(this.serdeContext);
    return serializer;
  }
  createDeserializer() {
    const deserializer = new DynamoDBJsonShapeDeserializer2(this.settings);
    deserializer.setSerdeContext(this.serdeContext);
    return deserializer;
  }
};

// node_modules/@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js
var Unsupported3 = class {
  constructor() {
    throw new Error("This class of the SDK is not part of the bundles.");
  }
};

// node_modules/@smithy/core/dist-es/submodules/checksum/sha256/Sha256Node.js
var import_node_crypto2 = require("node:crypto");
var hasNativeCrypto = (() => {
  try {
    (0, import_node_crypto2.createHash)("sha256");
    return true;
  } catch {
    return false;
  }
})();
var Sha256Node = hasNativeCrypto ? buildNativeClass() : Unsupported3;
function buildNativeClass() {
  return class Sha256Node {
    digestLength = 32;
    secret;
    hash;
    isHmac;
    finished = false;
    constructor(secret) {
      this.secret = secret;
      this.isHmac = !!secret;
      this.hash = this.createHash();
    }
    update(data) {
      if (this.finished) {
        throw new Error("Attempted to update an already finished hash.");
      }
      this.hash.update(data);
    }
    async digest() {
      let buf;
      if (this.isHmac) {
        this.finished = true;
        buf = this.hash.digest();
      } else {
        buf = this.hash.copy().digest();
      }
      return new Uint8Array(buf.buffer, buf.byteOffset, buf.byteLength);
    }
    reset() {
      this.hash = this.createHash();
      this.finished = false;
    }
    createHash() {
      return this.secret ? (0, import_node_crypto2.createHmac)("sha256", toBuffer(this.secret)) : (0, import_node_crypto2.createHash)("sha256");
    }
  };
}
function toBuffer(data) {
  if (typeof data === "string") {
    return data;
  }
  if (ArrayBuffer.isView(data)) {
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }
  return Buffer.from(data);
}

// node_modules/@aws-sdk/client-dynamodb/dist-es/endpoint/bdd.js
var L = "ref";
var M = "argv";
var a = -1;
var b = true;
var c = false;
var d = "isSet";
var e = "booleanEquals";
var f = "PartitionResult";
var g = "stringEquals";
var h = "getAttr";
var i = "parsedEndpoint";
var j = "aws.parseArn";
var k = (n2) => "ParsedArn_ssa_" + n2;
var l = "service";
var m = "dynamodb";
var n = "isValidHostLabel";
var o = "accountId";
var p = "FirstArn";
var q = (n2) => "https://{ParsedArn_ssa_" + n2 + "#accountId}.search-ddb.{Region}.{PartitionResult#dualStackDnsSuffix}";
var s = (n2) => "https://{ParsedArn_ssa_" + n2 + "#accountId}.ddb.{Region}.{PartitionResult#dualStackDnsSuffix}";
var t = (n2) => "https://{ParsedArn_ssa_" + n2 + "#accountId}.search-ddb.{Region}.{PartitionResult#dnsSuffix}";
var u = (n2) => "https://{ParsedArn_ssa_" + n2 + "#accountId}.ddb.{Region}.{PartitionResult#dnsSuffix}";
var v = { [L]: "Region" };
var w = { [L]: f };
var x = { "fn": h, [M]: [{ [L]: i }, "authority"] };
var y = { [L]: "AccountIdEndpointMode" };
var z = { "fn": h, [M]: [w, "name"] };
var A = { [L]: "ParsedArn_ssa_2" };
var B = { "fn": h, [M]: [A, "region"] };
var C = { [L]: "ResourceArnList" };
var D = { "fn": h, [M]: [{ [L]: "ParsedArn_ssa_1" }, "region"] };
var E = { [L]: "ParsedArn_ssa_1" };
var F = { [L]: "AccountId" };
var G = {};
var H = { "metricValues": ["O"] };
var I = [v];
var J = [{ [L]: "Endpoint" }];
var K = [{ [L]: "ResourceArn" }];
var _data = {
  conditions: [
    [d, I],
    [d, J],
    [e, [{ [L]: "UseFIPS" }, b]],
    [e, [{ [L]: "UseDualStack" }, b]],
    ["aws.partition", I, f],
    [g, [v, "local"]],
    [e, [{ fn: h, [M]: [w, "supportsFIPS"] }, b]],
    ["parseURL", J, i],
    [g, ["dynamodb.{Region}.{PartitionResult#dualStackDnsSuffix}", x]],
    [e, [{ fn: h, [M]: [w, "supportsDualStack"] }, b]],
    [g, ["search-dynamodb.{Region}.{PartitionResult#dualStackDnsSuffix}", x]],
    [d, [y]],
    [g, [v, "us-gov-east-1"]],
    [g, [v, "cn-north-1"]],
    [g, [v, "cn-northwest-1"]],
    [g, [v, "us-gov-west-1"]],
    [g, [z, "aws"]],
    [g, [y, "disabled"]],
    [d, K],
    [j, K, k(2)],
    [g, [{ fn: h, [M]: [A, l] }, m]],
    [g, [B, v]],
    [n, [{ fn: h, [M]: [A, o] }, c]],
    [n, [B, c]],
    [d, [C]],
    [h, [C, "[0]"], p],
    [j, [{ [L]: p }], k(1)],
    [g, [D, v]],
    [g, [{ fn: h, [M]: [E, l] }, m]],
    [n, [{ fn: h, [M]: [E, o] }, c]],
    [n, [D, c]],
    [d, [F]],
    [g, [y, "required"]],
    [n, [F, c]],
    [g, [z, "aws-us-gov"]],
    [e, [{ fn: "coalesce", [M]: [{ [L]: "IsSearchOperation" }, c] }, b]]
  ],
  results: [
    [a],
    [a, "Invalid Configuration: FIPS and custom endpoint are not supported"],
    [a, "Invalid Configuration: Dualstack and custom endpoint are not supported"],
    [a, "Endpoint override is not supported for dual-stack endpoints. Please enable dual-stack functionality by enabling the configuration. For more details, see: https://docs.aws.amazon.com/sdkref/latest/guide/feature-endpoints.html"],
    ["{Endpoint}", G],
    [a, "Invalid Configuration: FIPS and local endpoint are not supported"],
    [a, "Invalid Configuration: Dualstack and local endpoint are not supported"],
    ["http://localhost:8000", { authSchemes: [{ name: "sigv4", signingName: m, signingRegion: "us-east-1" }] }],
    [a, "Invalid Configuration: AccountIdEndpointMode is required and FIPS is enabled, but FIPS account endpoints are not supported"],
    ["https://search-dynamodb-fips.{Region}.{PartitionResult#dualStackDnsSuffix}", G],
    ["https://dynamodb-fips.{Region}.{PartitionResult#dualStackDnsSuffix}", G],
    [a, "FIPS and DualStack are enabled, but this partition does not support one or both"],
    ["https://search-dynamodb.{Region}.{PartitionResult#dnsSuffix}", G],
    ["https://dynamodb.{Region}.{PartitionResult#dnsSuffix}", G],
    ["https://search-dynamodb-fips.{Region}.{PartitionResult#dnsSuffix}", G],
    ["https://dynamodb-fips.{Region}.{PartitionResult#dnsSuffix}", G],
    [a, "FIPS is enabled but this partition does not support FIPS"],
    [a, "Invalid Configuration: AccountIdEndpointMode is required but account endpoints are not supported in this region"],
    ["https://search-dynamodb.{Region}.{PartitionResult#dualStackDnsSuffix}", G],
    ["https://dynamodb.{Region}.{PartitionResult#dualStackDnsSuffix}", G],
    [q(2), H],
    [s(2), H],
    [q(1), H],
    [s(1), H],
    ["https://{AccountId}.search-ddb.{Region}.{PartitionResult#dualStackDnsSuffix}", H],
    ["https://{AccountId}.ddb.{Region}.{PartitionResult#dualStackDnsSuffix}", H],
    [a, "Credentials-sourced account ID parameter is invalid"],
    [a, "AccountIdEndpointMode is required but no AccountID was provided or able to be loaded"],
    [a, "DualStack is enabled but this partition does not support DualStack"],
    [t(2), H],
    [u(2), H],
    [t(1), H],
    [u(1), H],
    ["https://{AccountId}.search-ddb.{Region}.{PartitionResult#dnsSuffix}", H],
    ["https://{AccountId}.ddb.{Region}.{PartitionResult#dnsSuffix}", H],
    [a, "Invalid Configuration: Missing Region"]
  ]
};
var root = 2;
var r = 1e8;
var nodes = new Int32Array([
  -1,
  1,
  -1,
  0,
  6,
  3,
  1,
  4,
  r + 35,
  2,
  r + 1,
  5,
  3,
  r + 2,
  r + 4,
  1,
  85,
  7,
  2,
  69,
  8,
  3,
  38,
  9,
  4,
  10,
  r + 35,
  5,
  r + 7,
  11,
  11,
  12,
  77,
  12,
  18,
  13,
  13,
  18,
  14,
  14,
  18,
  15,
  15,
  18,
  16,
  16,
  18,
  17,
  32,
  r + 17,
  77,
  17,
  37,
  19,
  18,
  20,
  25,
  19,
  21,
  25,
  20,
  22,
  25,
  21,
  23,
  25,
  22,
  24,
  25,
  23,
  36,
  25,
  24,
  26,
  32,
  25,
  27,
  32,
  26,
  28,
  32,
  27,
  29,
  32,
  28,
  30,
  32,
  29,
  31,
  32,
  30,
  35,
  32,
  31,
  33,
  37,
  33,
  34,
  r + 26,
  35,
  r + 33,
  r + 34,
  35,
  r + 31,
  r + 32,
  35,
  r + 29,
  r + 30,
  32,
  r + 27,
  77,
  4,
  39,
  r + 35,
  5,
  r + 6,
  40,
  9,
  41,
  r + 28,
  11,
  42,
  68,
  12,
  48,
  43,
  13,
  48,
  44,
  14,
  48,
  45,
  15,
  48,
  46,
  16,
  48,
  47,
  32,
  r + 17,
  68,
  17,
  67,
  49,
  18,
  50,
  55,
  19,
  51,
  55,
  20,
  52,
  55,
  21,
  53,
  55,
  22,
  54,
  55,
  23,
  66,
  55,
  24,
  56,
  62,
  25,
  57,
  62,
  26,
  58,
  62,
  27,
  59,
  62,
  28,
  60,
  62,
  29,
  61,
  62,
  30,
  65,
  62,
  31,
  63,
  67,
  33,
  64,
  r + 26,
  35,
  r + 24,
  r + 25,
  35,
  r + 22,
  r + 23,
  35,
  r + 20,
  r + 21,
  32,
  r + 27,
  68,
  35,
  r + 18,
  r + 19,
  3,
  78,
  70,
  4,
  71,
  r + 35,
  5,
  r + 5,
  72,
  6,
  73,
  r + 16,
  11,
  74,
  75,
  32,
  r + 8,
  75,
  34,
  77,
  76,
  35,
  r + 14,
  r + 15,
  35,
  r + 12,
  r + 13,
  4,
  79,
  r + 35,
  5,
  r + 5,
  80,
  6,
  81,
  r + 11,
  9,
  82,
  r + 11,
  11,
  83,
  84,
  32,
  r + 8,
  84,
  35,
  r + 9,
  r + 10,
  2,
  r + 1,
  86,
  3,
  r + 2,
  87,
  4,
  88,
  r + 4,
  7,
  89,
  r + 4,
  8,
  r + 3,
  90,
  10,
  r + 3,
  r + 4
]);
var bdd = BinaryDecisionDiagram.from(nodes, root, _data.conditions, _data.results);

// node_modules/@aws-sdk/client-dynamodb/dist-es/endpoint/endpointResolver.js
var cache = new EndpointCache({
  size: 50,
  params: [
    "AccountId",
    "AccountIdEndpointMode",
    "Endpoint",
    "IsSearchOperation",
    "Region",
    "ResourceArn",
    "ResourceArnList",
    "UseDualStack",
    "UseFIPS"
  ]
});
var defaultEndpointResolver = (endpointParams, context = {}) => {
  return cache.get(endpointParams, () => decideEndpoint(bdd, {
    endpointParams,
    logger: context.logger
  }));
};
customEndpointFunctions.aws = awsEndpointFunctions;

// node_modules/@aws-sdk/client-dynamodb/dist-es/runtimeConfig.shared.js
var getRuntimeConfig = (config) => {
  return {
    apiVersion: "2012-08-10",
    base64Decoder: config?.base64Decoder ?? fromBase64,
    base64Encoder: config?.base64Encoder ?? toBase64,
    disableHostPrefix: config?.disableHostPrefix ?? false,
    endpointProvider: config?.endpointProvider ?? defaultEndpointResolver,
    extensions: config?.extensions ?? [],
    httpAuthSchemeProvider: config?.httpAuthSchemeProvider ?? defaultDynamoDBHttpAuthSchemeProvider,
    httpAuthSchemes: config?.httpAuthSchemes ?? [
      {
        schemeId: "aws.auth#sigv4",
        identityProvider: (ipc) => ipc.getIdentityProvider("aws.auth#sigv4"),
        signer: new AwsSdkSigV4Signer()
      }
    ],
    logger: config?.logger ?? new NoOpLogger(),
    protocol: config?.protocol ?? AwsJson1_0Protocol,
    protocolSettings: config?.protocolSettings ?? {
      defaultNamespace: "com.amazonaws.dynamodb",
      errorTypeRegistries,
      xmlNamespace: "http://dynamodb.amazonaws.com/doc/2012-08-10/",
      version: "2012-08-10",
      serviceTarget: "DynamoDB_20120810",
      jsonCodec: new DynamoDBJsonCodec2()
    },
    serviceId: config?.serviceId ?? "DynamoDB",
    sha256: config?.sha256 ?? Sha256Node,
    urlParser: config?.urlParser ?? parseUrl,
    utf8Decoder: config?.utf8Decoder ?? fromUtf8,
    utf8Encoder: config?.utf8Encoder ?? toUtf8
  };
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/runtimeConfig.js
var getRuntimeConfig2 = (config) => {
  emitWarningIfUnsupportedVersion(process.version);
  const defaultsMode = resolveDefaultsModeConfig(config);
  const defaultConfigProvider = () => defaultsMode().then(loadConfigsForDefaultMode);
  const clientSharedValues = getRuntimeConfig(config);
  emitWarningIfUnsupportedVersion2(process.version);
  const loaderConfig = {
    profile: config?.profile,
    logger: clientSharedValues.logger
  };
  return {
    ...clientSharedValues,
    ...config,
    runtime: "node",
    defaultsMode,
    accountIdEndpointMode: config?.accountIdEndpointMode ?? loadConfig(NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS, loaderConfig),
    authSchemePreference: config?.authSchemePreference ?? loadConfig(NODE_AUTH_SCHEME_PREFERENCE_OPTIONS, loaderConfig),
    bodyLengthChecker: config?.bodyLengthChecker ?? calculateBodyLength,
    credentialDefaultProvider: config?.credentialDefaultProvider ?? defaultProvider,
    defaultSocketTimeout: getDefaultSocketTimeout(config?.requestHandler, 3e5),
    defaultUserAgentProvider: config?.defaultUserAgentProvider ?? createDefaultUserAgentProvider({ serviceId: clientSharedValues.serviceId, clientVersion: package_default.version }),
    endpointDiscoveryEnabledProvider: config?.endpointDiscoveryEnabledProvider ?? loadConfig(NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS, loaderConfig),
    maxAttempts: config?.maxAttempts ?? loadConfig(Retry.v2026 ? { ...NODE_MAX_ATTEMPT_CONFIG_OPTIONS, default: 4 } : NODE_MAX_ATTEMPT_CONFIG_OPTIONS, config),
    region: config?.region ?? loadConfig(NODE_REGION_CONFIG_OPTIONS, { ...NODE_REGION_CONFIG_FILE_OPTIONS, ...loaderConfig }),
    requestHandler: NodeHttpHandler.create(config?.requestHandler ?? defaultConfigProvider),
    retryMode: config?.retryMode ?? loadConfig({
      ...NODE_RETRY_MODE_CONFIG_OPTIONS,
      default: async () => (await defaultConfigProvider()).retryMode || DEFAULT_RETRY_MODE
    }, config),
    streamCollector: config?.streamCollector ?? streamCollector,
    useDualstackEndpoint: config?.useDualstackEndpoint ?? loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS, loaderConfig),
    useFipsEndpoint: config?.useFipsEndpoint ?? loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, loaderConfig),
    userAgentAppId: config?.userAgentAppId ?? loadConfig(NODE_APP_ID_CONFIG_OPTIONS, loaderConfig)
  };
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/auth/httpAuthExtensionConfiguration.js
var getHttpAuthExtensionConfiguration = (runtimeConfig) => {
  const _httpAuthSchemes = runtimeConfig.httpAuthSchemes;
  let _httpAuthSchemeProvider = runtimeConfig.httpAuthSchemeProvider;
  let _credentials = runtimeConfig.credentials;
  return {
    setHttpAuthScheme(httpAuthScheme) {
      const index = _httpAuthSchemes.findIndex((scheme) => scheme.schemeId === httpAuthScheme.schemeId);
      if (index === -1) {
        _httpAuthSchemes.push(httpAuthScheme);
      } else {
        _httpAuthSchemes.splice(index, 1, httpAuthScheme);
      }
    },
    httpAuthSchemes() {
      return _httpAuthSchemes;
    },
    setHttpAuthSchemeProvider(httpAuthSchemeProvider) {
      _httpAuthSchemeProvider = httpAuthSchemeProvider;
    },
    httpAuthSchemeProvider() {
      return _httpAuthSchemeProvider;
    },
    setCredentials(credentials) {
      _credentials = credentials;
    },
    credentials() {
      return _credentials;
    }
  };
};
var resolveHttpAuthRuntimeConfig = (config) => {
  return {
    httpAuthSchemes: config.httpAuthSchemes(),
    httpAuthSchemeProvider: config.httpAuthSchemeProvider(),
    credentials: config.credentials()
  };
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/runtimeExtensions.js
var resolveRuntimeExtensions = (runtimeConfig, extensions) => {
  const extensionConfiguration = Object.assign(getAwsRegionExtensionConfiguration(runtimeConfig), getDefaultExtensionConfiguration(runtimeConfig), getHttpHandlerExtensionConfiguration(runtimeConfig), getHttpAuthExtensionConfiguration(runtimeConfig));
  extensions.forEach((extension) => extension.configure(extensionConfiguration));
  return Object.assign(runtimeConfig, resolveAwsRegionExtensionConfiguration(extensionConfiguration), resolveDefaultRuntimeConfig2(extensionConfiguration), resolveHttpHandlerRuntimeConfig(extensionConfiguration), resolveHttpAuthRuntimeConfig(extensionConfiguration));
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/DynamoDBClient.js
var DynamoDBClient = class extends Client {
  config;
  constructor(...[configuration]) {
    const _config_0 = getRuntimeConfig2(configuration || {});
    super(_config_0);
    this.initConfig = _config_0;
    const _config_1 = resolveClientEndpointParameters(_config_0);
    const _config_2 = resolveAccountIdEndpointModeConfig(_config_1);
    const _config_3 = resolveUserAgentConfig(_config_2);
    const _config_4 = resolveRetryConfig(_config_3, { defaultBaseDelay: Retry.v2026 ? 25 : void 0, defaultMaxAttempts: Retry.v2026 ? 4 : void 0 });
    const _config_5 = resolveRegionConfig(_config_4);
    const _config_6 = resolveHostHeaderConfig(_config_5);
    const _config_7 = resolveEndpointConfig(_config_6);
    const _config_8 = resolveHttpAuthSchemeConfig(_config_7);
    const _config_9 = resolveEndpointDiscoveryConfig(_config_8, { endpointDiscoveryCommandCtor: DescribeEndpointsCommand });
    const _config_10 = resolveRuntimeExtensions(_config_9, configuration?.extensions || []);
    this.config = _config_10;
    this.middlewareStack.use(getSchemaSerdePlugin(this.config));
    this.middlewareStack.use(getUserAgentPlugin(this.config));
    this.middlewareStack.use(getRetryPlugin(this.config));
    this.middlewareStack.use(getContentLengthPlugin(this.config));
    this.middlewareStack.use(getHostHeaderPlugin(this.config));
    this.middlewareStack.use(getLoggerPlugin(this.config));
    this.middlewareStack.use(getRecursionDetectionPlugin(this.config));
    this.middlewareStack.use(getHttpAuthSchemeEndpointRuleSetPlugin(this.config, {
      httpAuthSchemeParametersProvider: defaultDynamoDBHttpAuthSchemeParametersProvider,
      identityProviderConfigProvider: async (config) => new DefaultIdentityProviderConfig({
        "aws.auth#sigv4": config.credentials
      })
    }));
    this.middlewareStack.use(getHttpSigningPlugin(this.config));
  }
  destroy() {
    super.destroy();
  }
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/BatchExecuteStatementCommand.js
var BatchExecuteStatementCommand = class extends command(_ep0, _mw0, "BatchExecuteStatement", BatchExecuteStatement$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/BatchGetItemCommand.js
var BatchGetItemCommand = class extends command(_ep1, _mw0, "BatchGetItem", BatchGetItem$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/BatchWriteItemCommand.js
var BatchWriteItemCommand = class extends command(_ep1, _mw0, "BatchWriteItem", BatchWriteItem$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/CancelBulkOperationCommand.js
var CancelBulkOperationCommand = class extends command(_ep2, _mw0, "CancelBulkOperation", CancelBulkOperation$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/CreateBackupCommand.js
var CreateBackupCommand = class extends command(_ep3, _mw0, "CreateBackup", CreateBackup$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/CreateGlobalTableCommand.js
var CreateGlobalTableCommand = class extends command(_ep4, _mw0, "CreateGlobalTable", CreateGlobalTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/CreateTableCommand.js
var CreateTableCommand = class extends command(_ep3, _mw0, "CreateTable", CreateTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DeleteBackupCommand.js
var DeleteBackupCommand = class extends command(_ep5, _mw0, "DeleteBackup", DeleteBackup$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DeleteItemCommand.js
var DeleteItemCommand = class extends command(_ep3, _mw0, "DeleteItem", DeleteItem$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DeleteResourcePolicyCommand.js
var DeleteResourcePolicyCommand = class extends command(_ep6, _mw0, "DeleteResourcePolicy", DeleteResourcePolicy$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DeleteTableCommand.js
var DeleteTableCommand = class extends command(_ep3, _mw0, "DeleteTable", DeleteTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeBackupCommand.js
var DescribeBackupCommand = class extends command(_ep5, _mw0, "DescribeBackup", DescribeBackup$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeBulkOperationCommand.js
var DescribeBulkOperationCommand = class extends command(_ep2, _mw0, "DescribeBulkOperation", DescribeBulkOperation$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeContinuousBackupsCommand.js
var DescribeContinuousBackupsCommand = class extends command(_ep3, _mw0, "DescribeContinuousBackups", DescribeContinuousBackups$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeContributorInsightsCommand.js
var DescribeContributorInsightsCommand = class extends command(_ep3, _mw0, "DescribeContributorInsights", DescribeContributorInsights$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeExportCommand.js
var DescribeExportCommand = class extends command(_ep7, _mw0, "DescribeExport", DescribeExport$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeGlobalTableCommand.js
var DescribeGlobalTableCommand = class extends command(_ep4, _mw0, "DescribeGlobalTable", DescribeGlobalTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeGlobalTableSettingsCommand.js
var DescribeGlobalTableSettingsCommand = class extends command(_ep4, _mw0, "DescribeGlobalTableSettings", DescribeGlobalTableSettings$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeImportCommand.js
var DescribeImportCommand = class extends command(_ep8, _mw0, "DescribeImport", DescribeImport$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeKinesisStreamingDestinationCommand.js
var DescribeKinesisStreamingDestinationCommand = class extends command(_ep3, _mw0, "DescribeKinesisStreamingDestination", DescribeKinesisStreamingDestination$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeLimitsCommand.js
var DescribeLimitsCommand = class extends command(_ep0, _mw0, "DescribeLimits", DescribeLimits$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeTableCommand.js
var DescribeTableCommand = class extends command(_ep3, _mw0, "DescribeTable", DescribeTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeTableReplicaAutoScalingCommand.js
var DescribeTableReplicaAutoScalingCommand = class extends command(_ep3, _mw0, "DescribeTableReplicaAutoScaling", DescribeTableReplicaAutoScaling$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DescribeTimeToLiveCommand.js
var DescribeTimeToLiveCommand = class extends command(_ep3, _mw0, "DescribeTimeToLive", DescribeTimeToLive$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/DisableKinesisStreamingDestinationCommand.js
var DisableKinesisStreamingDestinationCommand = class extends command(_ep3, _mw0, "DisableKinesisStreamingDestination", DisableKinesisStreamingDestination$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/EnableKinesisStreamingDestinationCommand.js
var EnableKinesisStreamingDestinationCommand = class extends command(_ep3, _mw0, "EnableKinesisStreamingDestination", EnableKinesisStreamingDestination$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ExecuteStatementCommand.js
var ExecuteStatementCommand = class extends command(_ep0, _mw0, "ExecuteStatement", ExecuteStatement$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ExecuteTransactionCommand.js
var ExecuteTransactionCommand = class extends command(_ep0, _mw0, "ExecuteTransaction", ExecuteTransaction$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ExportTableToPointInTimeCommand.js
var ExportTableToPointInTimeCommand = class extends command(_ep9, _mw0, "ExportTableToPointInTime", ExportTableToPointInTime$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/GetItemCommand.js
var GetItemCommand = class extends command(_ep3, _mw0, "GetItem", GetItem$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/GetResourcePolicyCommand.js
var GetResourcePolicyCommand = class extends command(_ep6, _mw0, "GetResourcePolicy", GetResourcePolicy$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ImportTableCommand.js
var ImportTableCommand = class extends command(_ep10, _mw0, "ImportTable", ImportTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListBackupsCommand.js
var ListBackupsCommand = class extends command(_ep3, _mw0, "ListBackups", ListBackups$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListBulkOperationsCommand.js
var ListBulkOperationsCommand = class extends command(_ep0, _mw0, "ListBulkOperations", ListBulkOperations$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListContributorInsightsCommand.js
var ListContributorInsightsCommand = class extends command(_ep3, _mw0, "ListContributorInsights", ListContributorInsights$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListExportsCommand.js
var ListExportsCommand = class extends command(_ep9, _mw0, "ListExports", ListExports$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListGlobalTablesCommand.js
var ListGlobalTablesCommand = class extends command(_ep0, _mw0, "ListGlobalTables", ListGlobalTables$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListImportsCommand.js
var ListImportsCommand = class extends command(_ep9, _mw0, "ListImports", ListImports$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListTablesCommand.js
var ListTablesCommand = class extends command(_ep0, _mw0, "ListTables", ListTables$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ListTagsOfResourceCommand.js
var ListTagsOfResourceCommand = class extends command(_ep6, _mw0, "ListTagsOfResource", ListTagsOfResource$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/PutItemCommand.js
var PutItemCommand = class extends command(_ep3, _mw0, "PutItem", PutItem$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/PutResourcePolicyCommand.js
var PutResourcePolicyCommand = class extends command(_ep6, _mw0, "PutResourcePolicy", PutResourcePolicy$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/QueryCommand.js
var QueryCommand = class extends command(_ep3, _mw0, "Query", Query$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/RestoreTableFromBackupCommand.js
var RestoreTableFromBackupCommand = class extends command(_ep11, _mw0, "RestoreTableFromBackup", RestoreTableFromBackup$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/RestoreTableToPointInTimeCommand.js
var RestoreTableToPointInTimeCommand = class extends command(_ep11, _mw0, "RestoreTableToPointInTime", RestoreTableToPointInTime$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ScanCommand.js
var ScanCommand = class extends command(_ep3, _mw0, "Scan", Scan$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/SearchVectorsCommand.js
var SearchVectorsCommand = class extends command(_ep12, _mw0, "SearchVectors", SearchVectors$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/StartBulkPutItemsCommand.js
var StartBulkPutItemsCommand = class extends command(_ep3, _mw0, "StartBulkPutItems", StartBulkPutItems$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/TagResourceCommand.js
var TagResourceCommand = class extends command(_ep6, _mw0, "TagResource", TagResource$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/TransactGetItemsCommand.js
var TransactGetItemsCommand = class extends command(_ep13, _mw0, "TransactGetItems", TransactGetItems$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/TransactWriteItemsCommand.js
var TransactWriteItemsCommand = class extends command(_ep14, _mw0, "TransactWriteItems", TransactWriteItems$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UntagResourceCommand.js
var UntagResourceCommand = class extends command(_ep6, _mw0, "UntagResource", UntagResource$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateContinuousBackupsCommand.js
var UpdateContinuousBackupsCommand = class extends command(_ep3, _mw0, "UpdateContinuousBackups", UpdateContinuousBackups$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateContributorInsightsCommand.js
var UpdateContributorInsightsCommand = class extends command(_ep3, _mw0, "UpdateContributorInsights", UpdateContributorInsights$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateGlobalTableCommand.js
var UpdateGlobalTableCommand = class extends command(_ep4, _mw0, "UpdateGlobalTable", UpdateGlobalTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateGlobalTableSettingsCommand.js
var UpdateGlobalTableSettingsCommand = class extends command(_ep4, _mw0, "UpdateGlobalTableSettings", UpdateGlobalTableSettings$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateItemCommand.js
var UpdateItemCommand = class extends command(_ep3, _mw0, "UpdateItem", UpdateItem$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateKinesisStreamingDestinationCommand.js
var UpdateKinesisStreamingDestinationCommand = class extends command(_ep3, _mw0, "UpdateKinesisStreamingDestination", UpdateKinesisStreamingDestination$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateTableCommand.js
var UpdateTableCommand = class extends command(_ep3, _mw0, "UpdateTable", UpdateTable$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateTableReplicaAutoScalingCommand.js
var UpdateTableReplicaAutoScalingCommand = class extends command(_ep3, _mw0, "UpdateTableReplicaAutoScaling", UpdateTableReplicaAutoScaling$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/commands/UpdateTimeToLiveCommand.js
var UpdateTimeToLiveCommand = class extends command(_ep3, _mw0, "UpdateTimeToLive", UpdateTimeToLive$) {
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/ListBulkOperationsPaginator.js
var paginateListBulkOperations = createPaginator(DynamoDBClient, ListBulkOperationsCommand, "NextToken", "NextToken", "MaxResults");

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/ListContributorInsightsPaginator.js
var paginateListContributorInsights = createPaginator(DynamoDBClient, ListContributorInsightsCommand, "NextToken", "NextToken", "MaxResults");

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/ListExportsPaginator.js
var paginateListExports = createPaginator(DynamoDBClient, ListExportsCommand, "NextToken", "NextToken", "MaxResults");

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/ListImportsPaginator.js
var paginateListImports = createPaginator(DynamoDBClient, ListImportsCommand, "NextToken", "NextToken", "PageSize");

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/ListTablesPaginator.js
var paginateListTables = createPaginator(DynamoDBClient, ListTablesCommand, "ExclusiveStartTableName", "LastEvaluatedTableName", "Limit");

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/QueryPaginator.js
var paginateQuery = createPaginator(DynamoDBClient, QueryCommand, "ExclusiveStartKey", "LastEvaluatedKey", "Limit");

// node_modules/@aws-sdk/client-dynamodb/dist-es/pagination/ScanPaginator.js
var paginateScan = createPaginator(DynamoDBClient, ScanCommand, "ExclusiveStartKey", "LastEvaluatedKey", "Limit");

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForBulkOperationCompleted.js
var checkState = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeBulkOperationCommand(input));
    reason = result;
    try {
      const returnComparator = () => {
        return result.BulkOperationDescription.BulkOperationStatus;
      };
      if (returnComparator() === "COMPLETED") {
        return { state: WaiterState.SUCCESS, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.BulkOperationDescription.BulkOperationStatus;
      };
      if (returnComparator() === "COMPLETED_WITH_ERRORS") {
        return { state: WaiterState.SUCCESS, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.BulkOperationDescription.BulkOperationStatus;
      };
      if (returnComparator() === "CANCELLED") {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.BulkOperationDescription.BulkOperationStatus;
      };
      if (returnComparator() === "FAILED") {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
  } catch (exception) {
    reason = exception;
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForBulkOperationCompleted = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState);
};
var waitUntilBulkOperationCompleted = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForContributorInsightsEnabled.js
var checkState2 = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeContributorInsightsCommand(input));
    reason = result;
    try {
      const returnComparator = () => {
        return result.ContributorInsightsStatus;
      };
      if (returnComparator() === "ENABLED") {
        return { state: WaiterState.SUCCESS, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.ContributorInsightsStatus;
      };
      if (returnComparator() === "FAILED") {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
  } catch (exception) {
    reason = exception;
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForContributorInsightsEnabled = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState2);
};
var waitUntilContributorInsightsEnabled = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState2);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForExportCompleted.js
var checkState3 = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeExportCommand(input));
    reason = result;
    try {
      const returnComparator = () => {
        return result.ExportDescription.ExportStatus;
      };
      if (returnComparator() === "COMPLETED") {
        return { state: WaiterState.SUCCESS, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.ExportDescription.ExportStatus;
      };
      if (returnComparator() === "FAILED") {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
  } catch (exception) {
    reason = exception;
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForExportCompleted = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState3);
};
var waitUntilExportCompleted = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState3);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForImportCompleted.js
var checkState4 = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeImportCommand(input));
    reason = result;
    try {
      const returnComparator = () => {
        return result.ImportTableDescription.ImportStatus;
      };
      if (returnComparator() === "COMPLETED") {
        return { state: WaiterState.SUCCESS, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.ImportTableDescription.ImportStatus;
      };
      if (returnComparator() === "FAILED") {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        return result.ImportTableDescription.ImportStatus;
      };
      if (returnComparator() === "CANCELLED") {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
  } catch (exception) {
    reason = exception;
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForImportCompleted = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState4);
};
var waitUntilImportCompleted = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState4);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForKinesisStreamingDestinationActive.js
var checkState5 = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeKinesisStreamingDestinationCommand(input));
    reason = result;
    try {
      const returnComparator = () => {
        let flat_1 = [].concat(...result.KinesisDataStreamDestinations);
        let projection_3 = flat_1.map((element_2) => {
          return element_2.DestinationStatus;
        });
        return projection_3;
      };
      for (let anyStringEq_4 of returnComparator()) {
        if (anyStringEq_4 == "ACTIVE") {
          return { state: WaiterState.SUCCESS, reason };
        }
      }
    } catch (e3) {
    }
    try {
      const returnComparator = () => {
        let filterRes_2 = result.KinesisDataStreamDestinations.filter((element_1) => {
          return (element_1.DestinationStatus == "DISABLED" || element_1.DestinationStatus == "ENABLE_FAILED") && (element_1.DestinationStatus == "ENABLE_FAILED" || element_1.DestinationStatus == "DISABLED");
        });
        return result.KinesisDataStreamDestinations.length > 0 && filterRes_2.length == result.KinesisDataStreamDestinations.length;
      };
      if (returnComparator() == true) {
        return { state: WaiterState.FAILURE, reason };
      }
    } catch (e3) {
    }
  } catch (exception) {
    reason = exception;
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForKinesisStreamingDestinationActive = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState5);
};
var waitUntilKinesisStreamingDestinationActive = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState5);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForTableExists.js
var checkState6 = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeTableCommand(input));
    reason = result;
    try {
      const returnComparator = () => {
        return result.Table.TableStatus;
      };
      if (returnComparator() === "ACTIVE") {
        return { state: WaiterState.SUCCESS, reason };
      }
    } catch (e3) {
    }
  } catch (exception) {
    reason = exception;
    if (exception.name === "ResourceNotFoundException") {
      return { state: WaiterState.RETRY, reason };
    }
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForTableExists = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState6);
};
var waitUntilTableExists = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState6);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/waiters/waitForTableNotExists.js
var checkState7 = async (client, input) => {
  let reason;
  try {
    let result = await client.send(new DescribeTableCommand(input));
    reason = result;
  } catch (exception) {
    reason = exception;
    if (exception.name === "ResourceNotFoundException") {
      return { state: WaiterState.SUCCESS, reason };
    }
  }
  return { state: WaiterState.RETRY, reason };
};
var waitForTableNotExists = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  return createWaiter({ ...serviceDefaults, ...params }, input, checkState7);
};
var waitUntilTableNotExists = async (params, input) => {
  const serviceDefaults = { minDelay: 20, maxDelay: 120 };
  const result = await createWaiter({ ...serviceDefaults, ...params }, input, checkState7);
  return checkExceptions(result);
};

// node_modules/@aws-sdk/client-dynamodb/dist-es/DynamoDB.js
var commands = {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CancelBulkOperationCommand,
  CreateBackupCommand,
  CreateGlobalTableCommand,
  CreateTableCommand,
  DeleteBackupCommand,
  DeleteItemCommand,
  DeleteResourcePolicyCommand,
  DeleteTableCommand,
  DescribeBackupCommand,
  DescribeBulkOperationCommand,
  DescribeContinuousBackupsCommand,
  DescribeContributorInsightsCommand,
  DescribeEndpointsCommand,
  DescribeExportCommand,
  DescribeGlobalTableCommand,
  DescribeGlobalTableSettingsCommand,
  DescribeImportCommand,
  DescribeKinesisStreamingDestinationCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  DescribeTableReplicaAutoScalingCommand,
  DescribeTimeToLiveCommand,
  DisableKinesisStreamingDestinationCommand,
  EnableKinesisStreamingDestinationCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  ExportTableToPointInTimeCommand,
  GetItemCommand,
  GetResourcePolicyCommand,
  ImportTableCommand,
  ListBackupsCommand,
  ListBulkOperationsCommand,
  ListContributorInsightsCommand,
  ListExportsCommand,
  ListGlobalTablesCommand,
  ListImportsCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  PutResourcePolicyCommand,
  QueryCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  SearchVectorsCommand,
  StartBulkPutItemsCommand,
  TagResourceCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UntagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateContributorInsightsCommand,
  UpdateGlobalTableCommand,
  UpdateGlobalTableSettingsCommand,
  UpdateItemCommand,
  UpdateKinesisStreamingDestinationCommand,
  UpdateTableCommand,
  UpdateTableReplicaAutoScalingCommand,
  UpdateTimeToLiveCommand
};
var paginators = {
  paginateListBulkOperations,
  paginateListContributorInsights,
  paginateListExports,
  paginateListImports,
  paginateListTables,
  paginateQuery,
  paginateScan
};
var waiters = {
  waitUntilBulkOperationCompleted,
  waitUntilContributorInsightsEnabled,
  waitUntilExportCompleted,
  waitUntilImportCompleted,
  waitUntilKinesisStreamingDestinationActive,
  waitUntilTableExists,
  waitUntilTableNotExists
};
var DynamoDB = class extends DynamoDBClient {
};
createAggregatedClient(commands, DynamoDB, { paginators, waiters });

// node_modules/@aws-sdk/client-dynamodb/dist-es/models/enums.js
var ApproximateCreationDateTimePrecision = {
  MICROSECOND: "MICROSECOND",
  MILLISECOND: "MILLISECOND"
};
var AttributeAction = {
  ADD: "ADD",
  DELETE: "DELETE",
  PUT: "PUT"
};
var ScalarAttributeType = {
  B: "B",
  N: "N",
  S: "S"
};
var BackupStatus = {
  AVAILABLE: "AVAILABLE",
  CREATING: "CREATING",
  DELETED: "DELETED"
};
var BackupType = {
  AWS_BACKUP: "AWS_BACKUP",
  SYSTEM: "SYSTEM",
  USER: "USER"
};
var BillingMode = {
  PAY_PER_REQUEST: "PAY_PER_REQUEST",
  PROVISIONED: "PROVISIONED"
};
var KeyType = {
  HASH: "HASH",
  RANGE: "RANGE"
};
var ProjectionType = {
  ALL: "ALL",
  INCLUDE: "INCLUDE",
  KEYS_ONLY: "KEYS_ONLY"
};
var SSEType = {
  AES256: "AES256",
  KMS: "KMS"
};
var SSEStatus = {
  DISABLED: "DISABLED",
  DISABLING: "DISABLING",
  ENABLED: "ENABLED",
  ENABLING: "ENABLING",
  UPDATING: "UPDATING"
};
var StreamViewType = {
  KEYS_ONLY: "KEYS_ONLY",
  NEW_AND_OLD_IMAGES: "NEW_AND_OLD_IMAGES",
  NEW_IMAGE: "NEW_IMAGE",
  OLD_IMAGE: "OLD_IMAGE"
};
var TimeToLiveStatus = {
  DISABLED: "DISABLED",
  DISABLING: "DISABLING",
  ENABLED: "ENABLED",
  ENABLING: "ENABLING"
};
var VectorDistanceFunction = {
  COSINE: "COSINE",
  DOT_PRODUCT: "DOT_PRODUCT",
  EUCLIDEAN: "EUCLIDEAN"
};
var SearchSchemaElementType = {
  HASH: "HASH",
  INLINE_FILTER: "INLINE_FILTER"
};
var BackupTypeFilter = {
  ALL: "ALL",
  AWS_BACKUP: "AWS_BACKUP",
  SYSTEM: "SYSTEM",
  USER: "USER"
};
var ReturnConsumedCapacity = {
  INDEXES: "INDEXES",
  NONE: "NONE",
  TOTAL: "TOTAL"
};
var ReturnValuesOnConditionCheckFailure = {
  ALL_OLD: "ALL_OLD",
  NONE: "NONE"
};
var BatchStatementErrorCodeEnum = {
  AccessDenied: "AccessDenied",
  ConditionalCheckFailed: "ConditionalCheckFailed",
  DuplicateItem: "DuplicateItem",
  InternalServerError: "InternalServerError",
  ItemCollectionSizeLimitExceeded: "ItemCollectionSizeLimitExceeded",
  ProvisionedThroughputExceeded: "ProvisionedThroughputExceeded",
  RequestLimitExceeded: "RequestLimitExceeded",
  ResourceNotFound: "ResourceNotFound",
  ThrottlingError: "ThrottlingError",
  TransactionConflict: "TransactionConflict",
  ValidationError: "ValidationError"
};
var ReturnItemCollectionMetrics = {
  NONE: "NONE",
  SIZE: "SIZE"
};
var BulkOperationStatus = {
  CANCELLED: "CANCELLED",
  CANCELLING: "CANCELLING",
  COMPLETED: "COMPLETED",
  COMPLETED_WITH_ERRORS: "COMPLETED_WITH_ERRORS",
  FAILED: "FAILED",
  IN_PROGRESS: "IN_PROGRESS"
};
var InputCompressionType = {
  GZIP: "GZIP",
  NONE: "NONE",
  ZSTD: "ZSTD"
};
var BulkOperationInputFormat = {
  DYNAMODB_JSON: "DYNAMODB_JSON",
  ION: "ION"
};
var OutputTypeEnum = {
  CONDITION_CHECK_FAILURE: "CONDITION_CHECK_FAILURE",
  ERROR: "ERROR"
};
var S3SseAlgorithm = {
  AES256: "AES256",
  KMS: "KMS"
};
var BulkOperationPerformanceTier = {
  ACCELERATED: "ACCELERATED",
  STANDARD: "STANDARD"
};
var ComparisonOperator = {
  BEGINS_WITH: "BEGINS_WITH",
  BETWEEN: "BETWEEN",
  CONTAINS: "CONTAINS",
  EQ: "EQ",
  GE: "GE",
  GT: "GT",
  IN: "IN",
  LE: "LE",
  LT: "LT",
  NE: "NE",
  NOT_CONTAINS: "NOT_CONTAINS",
  NOT_NULL: "NOT_NULL",
  NULL: "NULL"
};
var ConditionalOperator = {
  AND: "AND",
  OR: "OR"
};
var ContinuousBackupsStatus = {
  DISABLED: "DISABLED",
  ENABLED: "ENABLED"
};
var PointInTimeRecoveryStatus = {
  DISABLED: "DISABLED",
  ENABLED: "ENABLED"
};
var ContributorInsightsAction = {
  DISABLE: "DISABLE",
  ENABLE: "ENABLE"
};
var ContributorInsightsMode = {
  ACCESSED_AND_THROTTLED_KEYS: "ACCESSED_AND_THROTTLED_KEYS",
  THROTTLED_KEYS: "THROTTLED_KEYS"
};
var ContributorInsightsStatus = {
  DISABLED: "DISABLED",
  DISABLING: "DISABLING",
  ENABLED: "ENABLED",
  ENABLING: "ENABLING",
  FAILED: "FAILED"
};
var GlobalTableStatus = {
  ACTIVE: "ACTIVE",
  CREATING: "CREATING",
  DELETING: "DELETING",
  UPDATING: "UPDATING"
};
var IndexStatus = {
  ACTIVE: "ACTIVE",
  CREATING: "CREATING",
  DELETING: "DELETING",
  UPDATING: "UPDATING"
};
var GlobalTableSettingsReplicationMode = {
  DISABLED: "DISABLED",
  ENABLED: "ENABLED",
  ENABLED_WITH_OVERRIDES: "ENABLED_WITH_OVERRIDES"
};
var ReplicaStatus = {
  ACTIVE: "ACTIVE",
  ARCHIVED: "ARCHIVED",
  ARCHIVING: "ARCHIVING",
  CREATING: "CREATING",
  CREATION_FAILED: "CREATION_FAILED",
  DELETING: "DELETING",
  INACCESSIBLE_ENCRYPTION_CREDENTIALS: "INACCESSIBLE_ENCRYPTION_CREDENTIALS",
  REGION_DISABLED: "REGION_DISABLED",
  REPLICATION_NOT_AUTHORIZED: "REPLICATION_NOT_AUTHORIZED",
  UPDATING: "UPDATING"
};
var TableClass = {
  STANDARD: "STANDARD",
  STANDARD_INFREQUENT_ACCESS: "STANDARD_INFREQUENT_ACCESS"
};
var TableStatus = {
  ACTIVE: "ACTIVE",
  ARCHIVED: "ARCHIVED",
  ARCHIVING: "ARCHIVING",
  CREATING: "CREATING",
  DELETING: "DELETING",
  INACCESSIBLE_ENCRYPTION_CREDENTIALS: "INACCESSIBLE_ENCRYPTION_CREDENTIALS",
  REPLICATION_NOT_AUTHORIZED: "REPLICATION_NOT_AUTHORIZED",
  UPDATING: "UPDATING"
};
var WitnessStatus = {
  ACTIVE: "ACTIVE",
  CREATING: "CREATING",
  DELETING: "DELETING"
};
var MultiRegionConsistency = {
  EVENTUAL: "EVENTUAL",
  STRONG: "STRONG"
};
var ReturnValue = {
  ALL_NEW: "ALL_NEW",
  ALL_OLD: "ALL_OLD",
  NONE: "NONE",
  UPDATED_NEW: "UPDATED_NEW",
  UPDATED_OLD: "UPDATED_OLD"
};
var ExportFormat = {
  DYNAMODB_JSON: "DYNAMODB_JSON",
  ION: "ION"
};
var ExportStatus = {
  COMPLETED: "COMPLETED",
  FAILED: "FAILED",
  IN_PROGRESS: "IN_PROGRESS"
};
var ExportType = {
  FULL_EXPORT: "FULL_EXPORT",
  INCREMENTAL_EXPORT: "INCREMENTAL_EXPORT"
};
var ExportViewType = {
  NEW_AND_OLD_IMAGES: "NEW_AND_OLD_IMAGES",
  NEW_IMAGE: "NEW_IMAGE"
};
var ImportStatus = {
  CANCELLED: "CANCELLED",
  CANCELLING: "CANCELLING",
  COMPLETED: "COMPLETED",
  FAILED: "FAILED",
  IN_PROGRESS: "IN_PROGRESS"
};
var InputFormat = {
  CSV: "CSV",
  DYNAMODB_JSON: "DYNAMODB_JSON",
  ION: "ION"
};
var DestinationStatus = {
  ACTIVE: "ACTIVE",
  DISABLED: "DISABLED",
  DISABLING: "DISABLING",
  ENABLE_FAILED: "ENABLE_FAILED",
  ENABLING: "ENABLING",
  UPDATING: "UPDATING"
};
var DisassociationMode = {
  WAIT_FOR_REPLICATION: "WAIT_FOR_REPLICATION"
};
var Select = {
  ALL_ATTRIBUTES: "ALL_ATTRIBUTES",
  ALL_PROJECTED_ATTRIBUTES: "ALL_PROJECTED_ATTRIBUTES",
  COUNT: "COUNT",
  SPECIFIC_ATTRIBUTES: "SPECIFIC_ATTRIBUTES"
};

// node_modules/@aws-sdk/client-kms/dist-es/index.js
var dist_es_exports2 = {};
__export(dist_es_exports2, {
  $Command: () => Command,
  AlgorithmSpec: () => AlgorithmSpec,
  AliasListEntry$: () => AliasListEntry$,
  AlreadyExistsException: () => AlreadyExistsException,
  AlreadyExistsException$: () => AlreadyExistsException$,
  CancelKeyDeletion$: () => CancelKeyDeletion$,
  CancelKeyDeletionCommand: () => CancelKeyDeletionCommand,
  CancelKeyDeletionRequest$: () => CancelKeyDeletionRequest$,
  CancelKeyDeletionResponse$: () => CancelKeyDeletionResponse$,
  CloudHsmClusterInUseException: () => CloudHsmClusterInUseException,
  CloudHsmClusterInUseException$: () => CloudHsmClusterInUseException$,
  CloudHsmClusterInvalidConfigurationException: () => CloudHsmClusterInvalidConfigurationException,
  CloudHsmClusterInvalidConfigurationException$: () => CloudHsmClusterInvalidConfigurationException$,
  CloudHsmClusterNotActiveException: () => CloudHsmClusterNotActiveException,
  CloudHsmClusterNotActiveException$: () => CloudHsmClusterNotActiveException$,
  CloudHsmClusterNotFoundException: () => CloudHsmClusterNotFoundException,
  CloudHsmClusterNotFoundException$: () => CloudHsmClusterNotFoundException$,
  CloudHsmClusterNotRelatedException: () => CloudHsmClusterNotRelatedException,
  CloudHsmClusterNotRelatedException$: () => CloudHsmClusterNotRelatedException$,
  ConflictException: () => ConflictException,
  ConflictException$: () => ConflictException$,
  ConnectCustomKeyStore$: () => ConnectCustomKeyStore$,
  ConnectCustomKeyStoreCommand: () => ConnectCustomKeyStoreCommand,
  ConnectCustomKeyStoreRequest$: () => ConnectCustomKeyStoreRequest$,
  ConnectCustomKeyStoreResponse$: () => ConnectCustomKeyStoreResponse$,
  ConnectionErrorCodeType: () => ConnectionErrorCodeType,
  ConnectionStateType: () => ConnectionStateType,
  CreateAlias$: () => CreateAlias$,
  CreateAliasCommand: () => CreateAliasCommand,
  CreateAliasRequest$: () => CreateAliasRequest$,
  CreateCustomKeyStore$: () => CreateCustomKeyStore$,
  CreateCustomKeyStoreCommand: () => CreateCustomKeyStoreCommand,
  CreateCustomKeyStoreRequest$: () => CreateCustomKeyStoreRequest$,
  CreateCustomKeyStoreResponse$: () => CreateCustomKeyStoreResponse$,
  CreateGrant$: () => CreateGrant$,
  CreateGrantCommand: () => CreateGrantCommand,
  CreateGrantRequest$: () => CreateGrantRequest$,
  CreateGrantResponse$: () => CreateGrantResponse$,
  CreateKey$: () => CreateKey$,
  CreateKeyCommand: () => CreateKeyCommand,
  CreateKeyRequest$: () => CreateKeyRequest$,
  CreateKeyResponse$: () => CreateKeyResponse$,
  CustomKeyStoreHasCMKsException: () => CustomKeyStoreHasCMKsException,
  CustomKeyStoreHasCMKsException$: () => CustomKeyStoreHasCMKsException$,
  CustomKeyStoreInvalidStateException: () => CustomKeyStoreInvalidStateException,
  CustomKeyStoreInvalidStateException$: () => CustomKeyStoreInvalidStateException$,
  CustomKeyStoreNameInUseException: () => CustomKeyStoreNameInUseException,
  CustomKeyStoreNameInUseException$: () => CustomKeyStoreNameInUseException$,
  CustomKeyStoreNotFoundException: () => CustomKeyStoreNotFoundException,
  CustomKeyStoreNotFoundException$: () => CustomKeyStoreNotFoundException$,
  CustomKeyStoreType: () => CustomKeyStoreType,
  CustomKeyStoresListEntry$: () => CustomKeyStoresListEntry$,
  CustomerMasterKeySpec: () => CustomerMasterKeySpec,
  DataKeyPairSpec: () => DataKeyPairSpec,
  DataKeySpec: () => DataKeySpec,
  Decapsulate$: () => Decapsulate$,
  DecapsulateCommand: () => DecapsulateCommand,
  DecapsulateRequest$: () => DecapsulateRequest$,
  DecapsulateResponse$: () => DecapsulateResponse$,
  Decrypt$: () => Decrypt$,
  DecryptCommand: () => DecryptCommand,
  DecryptRequest$: () => DecryptRequest$,
  DecryptResponse$: () => DecryptResponse$,
  DeleteAlias$: () => DeleteAlias$,
  DeleteAliasCommand: () => DeleteAliasCommand,
  DeleteAliasRequest$: () => DeleteAliasRequest$,
  DeleteCustomKeyStore$: () => DeleteCustomKeyStore$,
  DeleteCustomKeyStoreCommand: () => DeleteCustomKeyStoreCommand,
  DeleteCustomKeyStoreRequest$: () => DeleteCustomKeyStoreRequest$,
  DeleteCustomKeyStoreResponse$: () => DeleteCustomKeyStoreResponse$,
  DeleteImportedKeyMaterial$: () => DeleteImportedKeyMaterial$,
  DeleteImportedKeyMaterialCommand: () => DeleteImportedKeyMaterialCommand,
  DeleteImportedKeyMaterialRequest$: () => DeleteImportedKeyMaterialRequest$,
  DeleteImportedKeyMaterialResponse$: () => DeleteImportedKeyMaterialResponse$,
  DependencyTimeoutException: () => DependencyTimeoutException,
  DependencyTimeoutException$: () => DependencyTimeoutException$,
  DeriveSharedSecret$: () => DeriveSharedSecret$,
  DeriveSharedSecretCommand: () => DeriveSharedSecretCommand,
  DeriveSharedSecretRequest$: () => DeriveSharedSecretRequest$,
  DeriveSharedSecretResponse$: () => DeriveSharedSecretResponse$,
  DescribeCustomKeyStores$: () => DescribeCustomKeyStores$,
  DescribeCustomKeyStoresCommand: () => DescribeCustomKeyStoresCommand,
  DescribeCustomKeyStoresRequest$: () => DescribeCustomKeyStoresRequest$,
  DescribeCustomKeyStoresResponse$: () => DescribeCustomKeyStoresResponse$,
  DescribeKey$: () => DescribeKey$,
  DescribeKeyCommand: () => DescribeKeyCommand,
  DescribeKeyRequest$: () => DescribeKeyRequest$,
  DescribeKeyResponse$: () => DescribeKeyResponse$,
  DisableKey$: () => DisableKey$,
  DisableKeyCommand: () => DisableKeyCommand,
  DisableKeyRequest$: () => DisableKeyRequest$,
  DisableKeyRotation$: () => DisableKeyRotation$,
  DisableKeyRotationCommand: () => DisableKeyRotationCommand,
  DisableKeyRotationRequest$: () => DisableKeyRotationRequest$,
  DisabledException: () => DisabledException,
  DisabledException$: () => DisabledException$,
  DisconnectCustomKeyStore$: () => DisconnectCustomKeyStore$,
  DisconnectCustomKeyStoreCommand: () => DisconnectCustomKeyStoreCommand,
  DisconnectCustomKeyStoreRequest$: () => DisconnectCustomKeyStoreRequest$,
  DisconnectCustomKeyStoreResponse$: () => DisconnectCustomKeyStoreResponse$,
  DryRunModifierType: () => DryRunModifierType,
  DryRunOperationException: () => DryRunOperationException,
  DryRunOperationException$: () => DryRunOperationException$,
  EnableKey$: () => EnableKey$,
  EnableKeyCommand: () => EnableKeyCommand,
  EnableKeyRequest$: () => EnableKeyRequest$,
  EnableKeyRotation$: () => EnableKeyRotation$,
  EnableKeyRotationCommand: () => EnableKeyRotationCommand,
  EnableKeyRotationRequest$: () => EnableKeyRotationRequest$,
  Encapsulate$: () => Encapsulate$,
  EncapsulateCommand: () => EncapsulateCommand,
  EncapsulateRequest$: () => EncapsulateRequest$,
  EncapsulateResponse$: () => EncapsulateResponse$,
  EncapsulationAlgorithmSpec: () => EncapsulationAlgorithmSpec,
  Encrypt$: () => Encrypt$,
  EncryptCommand: () => EncryptCommand,
  EncryptRequest$: () => EncryptRequest$,
  EncryptResponse$: () => EncryptResponse$,
  EncryptionAlgorithmSpec: () => EncryptionAlgorithmSpec,
  ExpirationModelType: () => ExpirationModelType,
  ExpiredImportTokenException: () => ExpiredImportTokenException,
  ExpiredImportTokenException$: () => ExpiredImportTokenException$,
  GenerateDataKey$: () => GenerateDataKey$,
  GenerateDataKeyCommand: () => GenerateDataKeyCommand,
  GenerateDataKeyPair$: () => GenerateDataKeyPair$,
  GenerateDataKeyPairCommand: () => GenerateDataKeyPairCommand,
  GenerateDataKeyPairRequest$: () => GenerateDataKeyPairRequest$,
  GenerateDataKeyPairResponse$: () => GenerateDataKeyPairResponse$,
  GenerateDataKeyPairWithoutPlaintext$: () => GenerateDataKeyPairWithoutPlaintext$,
  GenerateDataKeyPairWithoutPlaintextCommand: () => GenerateDataKeyPairWithoutPlaintextCommand,
  GenerateDataKeyPairWithoutPlaintextRequest$: () => GenerateDataKeyPairWithoutPlaintextRequest$,
  GenerateDataKeyPairWithoutPlaintextResponse$: () => GenerateDataKeyPairWithoutPlaintextResponse$,
  GenerateDataKeyRequest$: () => GenerateDataKeyRequest$,
  GenerateDataKeyResponse$: () => GenerateDataKeyResponse$,
  GenerateDataKeyWithoutPlaintext$: () => GenerateDataKeyWithoutPlaintext$,
  GenerateDataKeyWithoutPlaintextCommand: () => GenerateDataKeyWithoutPlaintextCommand,
  GenerateDataKeyWithoutPlaintextRequest$: () => GenerateDataKeyWithoutPlaintextRequest$,
  GenerateDataKeyWithoutPlaintextResponse$: () => GenerateDataKeyWithoutPlaintextResponse$,
  GenerateMac$: () => GenerateMac$,
  GenerateMacCommand: () => GenerateMacCommand,
  GenerateMacRequest$: () => GenerateMacRequest$,
  GenerateMacResponse$: () => GenerateMacResponse$,
  GenerateRandom$: () => GenerateRandom$,
  GenerateRandomCommand: () => GenerateRandomCommand,
  GenerateRandomRequest$: () => GenerateRandomRequest$,
  GenerateRandomResponse$: () => GenerateRandomResponse$,
  GetKeyLastUsage$: () => GetKeyLastUsage$,
  GetKeyLastUsageCommand: () => GetKeyLastUsageCommand,
  GetKeyLastUsageRequest$: () => GetKeyLastUsageRequest$,
  GetKeyLastUsageResponse$: () => GetKeyLastUsageResponse$,
  GetKeyPolicy$: () => GetKeyPolicy$,
  GetKeyPolicyCommand: () => GetKeyPolicyCommand,
  GetKeyPolicyRequest$: () => GetKeyPolicyRequest$,
  GetKeyPolicyResponse$: () => GetKeyPolicyResponse$,
  GetKeyRotationStatus$: () => GetKeyRotationStatus$,
  GetKeyRotationStatusCommand: () => GetKeyRotationStatusCommand,
  GetKeyRotationStatusRequest$: () => GetKeyRotationStatusRequest$,
  GetKeyRotationStatusResponse$: () => GetKeyRotationStatusResponse$,
  GetParametersForImport$: () => GetParametersForImport$,
  GetParametersForImportCommand: () => GetParametersForImportCommand,
  GetParametersForImportRequest$: () => GetParametersForImportRequest$,
  GetParametersForImportResponse$: () => GetParametersForImportResponse$,
  GetPublicKey$: () => GetPublicKey$,
  GetPublicKeyCommand: () => GetPublicKeyCommand,
  GetPublicKeyRequest$: () => GetPublicKeyRequest$,
  GetPublicKeyResponse$: () => GetPublicKeyResponse$,
  GrantConstraints$: () => GrantConstraints$,
  GrantListEntry$: () => GrantListEntry$,
  GrantOperation: () => GrantOperation,
  ImportKeyMaterial$: () => ImportKeyMaterial$,
  ImportKeyMaterialCommand: () => ImportKeyMaterialCommand,
  ImportKeyMaterialRequest$: () => ImportKeyMaterialRequest$,
  ImportKeyMaterialResponse$: () => ImportKeyMaterialResponse$,
  ImportState: () => ImportState,
  ImportType: () => ImportType,
  IncludeKeyMaterial: () => IncludeKeyMaterial,
  IncorrectKeyException: () => IncorrectKeyException,
  IncorrectKeyException$: () => IncorrectKeyException$,
  IncorrectKeyMaterialException: () => IncorrectKeyMaterialException,
  IncorrectKeyMaterialException$: () => IncorrectKeyMaterialException$,
  IncorrectTrustAnchorException: () => IncorrectTrustAnchorException,
  IncorrectTrustAnchorException$: () => IncorrectTrustAnchorException$,
  InvalidAliasNameException: () => InvalidAliasNameException,
  InvalidAliasNameException$: () => InvalidAliasNameException$,
  InvalidArnException: () => InvalidArnException,
  InvalidArnException$: () => InvalidArnException$,
  InvalidCiphertextException: () => InvalidCiphertextException,
  InvalidCiphertextException$: () => InvalidCiphertextException$,
  InvalidGrantIdException: () => InvalidGrantIdException,
  InvalidGrantIdException$: () => InvalidGrantIdException$,
  InvalidGrantTokenException: () => InvalidGrantTokenException,
  InvalidGrantTokenException$: () => InvalidGrantTokenException$,
  InvalidImportTokenException: () => InvalidImportTokenException,
  InvalidImportTokenException$: () => InvalidImportTokenException$,
  InvalidKeyUsageException: () => InvalidKeyUsageException,
  InvalidKeyUsageException$: () => InvalidKeyUsageException$,
  InvalidMarkerException: () => InvalidMarkerException,
  InvalidMarkerException$: () => InvalidMarkerException$,
  KMS: () => KMS,
  KMSClient: () => KMSClient,
  KMSInternalException: () => KMSInternalException,
  KMSInternalException$: () => KMSInternalException$,
  KMSInvalidMacException: () => KMSInvalidMacException,
  KMSInvalidMacException$: () => KMSInvalidMacException$,
  KMSInvalidSignatureException: () => KMSInvalidSignatureException,
  KMSInvalidSignatureException$: () => KMSInvalidSignatureException$,
  KMSInvalidStateException: () => KMSInvalidStateException,
  KMSInvalidStateException$: () => KMSInvalidStateException$,
  KMSServiceException: () => KMSServiceException,
  KMSServiceException$: () => KMSServiceException$,
  KeyAgreementAlgorithmSpec: () => KeyAgreementAlgorithmSpec,
  KeyEncryptionMechanism: () => KeyEncryptionMechanism,
  KeyLastUsageData$: () => KeyLastUsageData$,
  KeyLastUsageTrackingOperation: () => KeyLastUsageTrackingOperation,
  KeyListEntry$: () => KeyListEntry$,
  KeyManagerType: () => KeyManagerType,
  KeyMaterialState: () => KeyMaterialState,
  KeyMetadata$: () => KeyMetadata$,
  KeySpec: () => KeySpec,
  KeyState: () => KeyState,
  KeyUnavailableException: () => KeyUnavailableException,
  KeyUnavailableException$: () => KeyUnavailableException$,
  KeyUsageType: () => KeyUsageType,
  LimitExceededException: () => LimitExceededException2,
  LimitExceededException$: () => LimitExceededException$2,
  ListAliases$: () => ListAliases$,
  ListAliasesCommand: () => ListAliasesCommand,
  ListAliasesRequest$: () => ListAliasesRequest$,
  ListAliasesResponse$: () => ListAliasesResponse$,
  ListGrants$: () => ListGrants$,
  ListGrantsCommand: () => ListGrantsCommand,
  ListGrantsRequest$: () => ListGrantsRequest$,
  ListGrantsResponse$: () => ListGrantsResponse$,
  ListKeyPolicies$: () => ListKeyPolicies$,
  ListKeyPoliciesCommand: () => ListKeyPoliciesCommand,
  ListKeyPoliciesRequest$: () => ListKeyPoliciesRequest$,
  ListKeyPoliciesResponse$: () => ListKeyPoliciesResponse$,
  ListKeyRotations$: () => ListKeyRotations$,
  ListKeyRotationsCommand: () => ListKeyRotationsCommand,
  ListKeyRotationsRequest$: () => ListKeyRotationsRequest$,
  ListKeyRotationsResponse$: () => ListKeyRotationsResponse$,
  ListKeys$: () => ListKeys$,
  ListKeysCommand: () => ListKeysCommand,
  ListKeysRequest$: () => ListKeysRequest$,
  ListKeysResponse$: () => ListKeysResponse$,
  ListResourceTags$: () => ListResourceTags$,
  ListResourceTagsCommand: () => ListResourceTagsCommand,
  ListResourceTagsRequest$: () => ListResourceTagsRequest$,
  ListResourceTagsResponse$: () => ListResourceTagsResponse$,
  ListRetirableGrants$: () => ListRetirableGrants$,
  ListRetirableGrantsCommand: () => ListRetirableGrantsCommand,
  ListRetirableGrantsRequest$: () => ListRetirableGrantsRequest$,
  MacAlgorithmSpec: () => MacAlgorithmSpec,
  MalformedPolicyDocumentException: () => MalformedPolicyDocumentException,
  MalformedPolicyDocumentException$: () => MalformedPolicyDocumentException$,
  MessageType: () => MessageType,
  MultiRegionConfiguration$: () => MultiRegionConfiguration$,
  MultiRegionKey$: () => MultiRegionKey$,
  MultiRegionKeyType: () => MultiRegionKeyType,
  NotFoundException: () => NotFoundException,
  NotFoundException$: () => NotFoundException$,
  OriginType: () => OriginType,
  PutKeyPolicy$: () => PutKeyPolicy$,
  PutKeyPolicyCommand: () => PutKeyPolicyCommand,
  PutKeyPolicyRequest$: () => PutKeyPolicyRequest$,
  ReEncrypt$: () => ReEncrypt$,
  ReEncryptCommand: () => ReEncryptCommand,
  ReEncryptRequest$: () => ReEncryptRequest$,
  ReEncryptResponse$: () => ReEncryptResponse$,
  RecipientInfo$: () => RecipientInfo$,
  ReplicateKey$: () => ReplicateKey$,
  ReplicateKeyCommand: () => ReplicateKeyCommand,
  ReplicateKeyRequest$: () => ReplicateKeyRequest$,
  ReplicateKeyResponse$: () => ReplicateKeyResponse$,
  RetireGrant$: () => RetireGrant$,
  RetireGrantCommand: () => RetireGrantCommand,
  RetireGrantRequest$: () => RetireGrantRequest$,
  RevokeGrant$: () => RevokeGrant$,
  RevokeGrantCommand: () => RevokeGrantCommand,
  RevokeGrantRequest$: () => RevokeGrantRequest$,
  RotateKeyOnDemand$: () => RotateKeyOnDemand$,
  RotateKeyOnDemandCommand: () => RotateKeyOnDemandCommand,
  RotateKeyOnDemandRequest$: () => RotateKeyOnDemandRequest$,
  RotateKeyOnDemandResponse$: () => RotateKeyOnDemandResponse$,
  RotationType: () => RotationType,
  RotationsListEntry$: () => RotationsListEntry$,
  ScheduleKeyDeletion$: () => ScheduleKeyDeletion$,
  ScheduleKeyDeletionCommand: () => ScheduleKeyDeletionCommand,
  ScheduleKeyDeletionRequest$: () => ScheduleKeyDeletionRequest$,
  ScheduleKeyDeletionResponse$: () => ScheduleKeyDeletionResponse$,
  Sign$: () => Sign$,
  SignCommand: () => SignCommand,
  SignRequest$: () => SignRequest$,
  SignResponse$: () => SignResponse$,
  SigningAlgorithmSpec: () => SigningAlgorithmSpec,
  Tag$: () => Tag$2,
  TagException: () => TagException,
  TagException$: () => TagException$,
  TagResource$: () => TagResource$2,
  TagResourceCommand: () => TagResourceCommand2,
  TagResourceRequest$: () => TagResourceRequest$,
  UnsupportedOperationException: () => UnsupportedOperationException,
  UnsupportedOperationException$: () => UnsupportedOperationException$,
  UntagResource$: () => UntagResource$2,
  UntagResourceCommand: () => UntagResourceCommand2,
  UntagResourceRequest$: () => UntagResourceRequest$,
  UpdateAlias$: () => UpdateAlias$,
  UpdateAliasCommand: () => UpdateAliasCommand,
  UpdateAliasRequest$: () => UpdateAliasRequest$,
  UpdateCustomKeyStore$: () => UpdateCustomKeyStore$,
  UpdateCustomKeyStoreCommand: () => UpdateCustomKeyStoreCommand,
  UpdateCustomKeyStoreRequest$: () => UpdateCustomKeyStoreRequest$,
  UpdateCustomKeyStoreResponse$: () => UpdateCustomKeyStoreResponse$,
  UpdateKeyDescription$: () => UpdateKeyDescription$,
  UpdateKeyDescriptionCommand: () => UpdateKeyDescriptionCommand,
  UpdateKeyDescriptionRequest$: () => UpdateKeyDescriptionRequest$,
  UpdatePrimaryRegion$: () => UpdatePrimaryRegion$,
  UpdatePrimaryRegionCommand: () => UpdatePrimaryRegionCommand,
  UpdatePrimaryRegionRequest$: () => UpdatePrimaryRegionRequest$,
  Verify$: () => Verify$,
  VerifyCommand: () => VerifyCommand,
  VerifyMac$: () => VerifyMac$,
  VerifyMacCommand: () => VerifyMacCommand,
  VerifyMacRequest$: () => VerifyMacRequest$,
  VerifyMacResponse$: () => VerifyMacResponse$,
  VerifyRequest$: () => VerifyRequest$,
  VerifyResponse$: () => VerifyResponse$,
  WrappingKeySpec: () => WrappingKeySpec,
  XksKeyAlreadyInUseException: () => XksKeyAlreadyInUseException,
  XksKeyAlreadyInUseException$: () => XksKeyAlreadyInUseException$,
  XksKeyConfigurationType$: () => XksKeyConfigurationType$,
  XksKeyInvalidConfigurationException: () => XksKeyInvalidConfigurationException,
  XksKeyInvalidConfigurationException$: () => XksKeyInvalidConfigurationException$,
  XksKeyNotFoundException: () => XksKeyNotFoundException,
  XksKeyNotFoundException$: () => XksKeyNotFoundException$,
  XksProxyAuthenticationCredentialType$: () => XksProxyAuthenticationCredentialType$,
  XksProxyConfigurationType$: () => XksProxyConfigurationType$,
  XksProxyConnectivityType: () => XksProxyConnectivityType,
  XksProxyIncorrectAuthenticationCredentialException: () => XksProxyIncorrectAuthenticationCredentialException,
  XksProxyIncorrectAuthenticationCredentialException$: () => XksProxyIncorrectAuthenticationCredentialException$,
  XksProxyInvalidConfigurationException: () => XksProxyInvalidConfigurationException,
  XksProxyInvalidConfigurationException$: () => XksProxyInvalidConfigurationException$,
  XksProxyInvalidResponseException: () => XksProxyInvalidResponseException,
  XksProxyInvalidResponseException$: () => XksProxyInvalidResponseException$,
  XksProxyUriEndpointInUseException: () => XksProxyUriEndpointInUseException,
  XksProxyUriEndpointInUseException$: () => XksProxyUriEndpointInUseException$,
  XksProxyUriInUseException: () => XksProxyUriInUseException,
  XksProxyUriInUseException$: () => XksProxyUriInUseException$,
  XksProxyUriUnreachableException: () => XksProxyUriUnreachableException,
  XksProxyUriUnreachableException$: () => XksProxyUriUnreachableException$,
  XksProxyVpcEndpointServiceInUseException: () => XksProxyVpcEndpointServiceInUseException,
  XksProxyVpcEndpointServiceInUseException$: () => XksProxyVpcEndpointServiceInUseException$,
  XksProxyVpcEndpointServiceInvalidConfigurationException: () => XksProxyVpcEndpointServiceInvalidConfigurationException,
  XksProxyVpcEndpointServiceInvalidConfigurationException$: () => XksProxyVpcEndpointServiceInvalidConfigurationException$,
  XksProxyVpcEndpointServiceNotFoundException: () => XksProxyVpcEndpointServiceNotFoundException,
  XksProxyVpcEndpointServiceNotFoundException$: () => XksProxyVpcEndpointServiceNotFoundException$,
  __Client: () => Client,
  errorTypeRegistries: () => errorTypeRegistries2,
  paginateDescribeCustomKeyStores: () => paginateDescribeCustomKeyStores,
  paginateListAliases: () => paginateListAliases,
  paginateListGrants: () => paginateListGrants,
  paginateListKeyPolicies: () => paginateListKeyPolicies,
  paginateListKeyRotations: () => paginateListKeyRotations,
  paginateListKeys: () => paginateListKeys,
  paginateListResourceTags: () => paginateListResourceTags,
  paginateListRetirableGrants: () => paginateListRetirableGrants
});

// node_modules/@aws-sdk/client-kms/dist-es/auth/httpAuthSchemeProvider.js
var defaultKMSHttpAuthSchemeParametersProvider = async (config, context, input) => {
  return {
    operation: getSmithyContext(context).operation,
    region: await normalizeProvider(config.region)() || (() => {
      throw new Error("expected `region` to be configured for `aws.auth#sigv4`");
    })()
  };
};
function createAwsAuthSigv4HttpAuthOption2(authParameters) {
  return {
    schemeId: "aws.auth#sigv4",
    signingProperties: {
      name: "kms",
      region: authParameters.region
    },
    propertiesExtractor: (config, context) => ({
      signingProperties: {
        config,
        context
      }
    })
  };
}
var defaultKMSHttpAuthSchemeProvider = (authParameters) => {
  const options = [];
  switch (authParameters.operation) {
    default: {
      options.push(createAwsAuthSigv4HttpAuthOption2(authParameters));
    }
  }
  return options;
};
var resolveHttpAuthSchemeConfig2 = (config) => {
  const config_0 = resolveAwsSdkSigV4Config(config);
  return Object.assign(config_0, {
    authSchemePreference: normalizeProvider(config.authSchemePreference ?? [])
  });
};

// node_modules/@aws-sdk/client-kms/dist-es/endpoint/EndpointParameters.js
var resolveClientEndpointParameters2 = (options) => {
  return Object.assign(options, {
    useDualstackEndpoint: options.useDualstackEndpoint ?? false,
    useFipsEndpoint: options.useFipsEndpoint ?? false,
    defaultSigningName: "kms"
  });
};
var commonParams2 = {
  UseFIPS: { type: "builtInParams", name: "useFipsEndpoint" },
  Endpoint: { type: "builtInParams", name: "endpoint" },
  Region: { type: "builtInParams", name: "region" },
  UseDualStack: { type: "builtInParams", name: "useDualstackEndpoint" }
};

// node_modules/@aws-sdk/client-kms/package.json
var package_default2 = { version: "3.1162.0" };

// node_modules/@aws-sdk/client-kms/dist-es/endpoint/bdd.js
var k2 = "ref";
var a2 = -1;
var b2 = true;
var c2 = "isSet";
var d2 = "PartitionResult";
var e2 = "booleanEquals";
var f2 = "getAttr";
var g2 = { [k2]: "Endpoint" };
var h2 = { [k2]: d2 };
var i2 = {};
var j2 = [{ [k2]: "Region" }];
var _data2 = {
  conditions: [
    [c2, [g2]],
    [c2, j2],
    ["aws.partition", j2, d2],
    [e2, [{ [k2]: "UseFIPS" }, b2]],
    [e2, [{ [k2]: "UseDualStack" }, b2]],
    [e2, [{ fn: f2, argv: [h2, "supportsDualStack"] }, b2]],
    [e2, [{ fn: f2, argv: [h2, "supportsFIPS"] }, b2]]
  ],
  results: [
    [a2],
    [a2, "Invalid Configuration: FIPS and custom endpoint are not supported"],
    [a2, "Invalid Configuration: Dualstack and custom endpoint are not supported"],
    [g2, i2],
    ["https://kms-fips.{Region}.{PartitionResult#dualStackDnsSuffix}", i2],
    [a2, "FIPS and DualStack are enabled, but this partition does not support one or both"],
    ["https://kms-fips.{Region}.{PartitionResult#dnsSuffix}", i2],
    [a2, "FIPS is enabled but this partition does not support FIPS"],
    ["https://kms.{Region}.{PartitionResult#dualStackDnsSuffix}", i2],
    [a2, "DualStack is enabled but this partition does not support DualStack"],
    ["https://kms.{Region}.{PartitionResult#dnsSuffix}", i2],
    [a2, "Invalid Configuration: Missing Region"]
  ]
};
var root2 = 2;
var r2 = 1e8;
var nodes2 = new Int32Array([
  -1,
  1,
  -1,
  0,
  12,
  3,
  1,
  4,
  r2 + 11,
  2,
  5,
  r2 + 11,
  3,
  8,
  6,
  4,
  7,
  r2 + 10,
  5,
  r2 + 8,
  r2 + 9,
  4,
  10,
  9,
  6,
  r2 + 6,
  r2 + 7,
  5,
  11,
  r2 + 5,
  6,
  r2 + 4,
  r2 + 5,
  3,
  r2 + 1,
  13,
  4,
  r2 + 2,
  r2 + 3
]);
var bdd2 = BinaryDecisionDiagram.from(nodes2, root2, _data2.conditions, _data2.results);

// node_modules/@aws-sdk/client-kms/dist-es/endpoint/endpointResolver.js
var cache2 = new EndpointCache({
  size: 50,
  params: ["Endpoint", "Region", "UseDualStack", "UseFIPS"]
});
var defaultEndpointResolver2 = (endpointParams, context = {}) => {
  return cache2.get(endpointParams, () => decideEndpoint(bdd2, {
    endpointParams,
    logger: context.logger
  }));
};
customEndpointFunctions.aws = awsEndpointFunctions;

// node_modules/@aws-sdk/client-kms/dist-es/models/KMSServiceException.js
var KMSServiceException = class _KMSServiceException extends ServiceException {
  static shapeId = "smithy.ts.sdk.synthetic.com.amazonaws.kms#KMSServiceException";
  constructor(options) {
    super(options);
    Object.setPrototypeOf(this, _KMSServiceException.prototype);
  }
};

// node_modules/@aws-sdk/client-kms/dist-es/models/errors.js
var AlreadyExistsException = class _AlreadyExistsException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#AlreadyExistsException";
  name = "AlreadyExistsException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "AlreadyExistsException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _AlreadyExistsException.prototype);
  }
};
var DependencyTimeoutException = class _DependencyTimeoutException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#DependencyTimeoutException";
  name = "DependencyTimeoutException";
  $fault = "server";
  constructor(opts) {
    super({
      name: "DependencyTimeoutException",
      $fault: "server",
      ...opts
    });
    Object.setPrototypeOf(this, _DependencyTimeoutException.prototype);
  }
};
var InvalidArnException = class _InvalidArnException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidArnException";
  name = "InvalidArnException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidArnException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidArnException.prototype);
  }
};
var KMSInternalException = class _KMSInternalException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#KMSInternalException";
  name = "KMSInternalException";
  $fault = "server";
  constructor(opts) {
    super({
      name: "KMSInternalException",
      $fault: "server",
      ...opts
    });
    Object.setPrototypeOf(this, _KMSInternalException.prototype);
  }
};
var KMSInvalidStateException = class _KMSInvalidStateException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#KMSInvalidStateException";
  name = "KMSInvalidStateException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "KMSInvalidStateException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _KMSInvalidStateException.prototype);
  }
};
var NotFoundException = class _NotFoundException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#NotFoundException";
  name = "NotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "NotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _NotFoundException.prototype);
  }
};
var CloudHsmClusterInUseException = class _CloudHsmClusterInUseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CloudHsmClusterInUseException";
  name = "CloudHsmClusterInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CloudHsmClusterInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CloudHsmClusterInUseException.prototype);
  }
};
var CloudHsmClusterInvalidConfigurationException = class _CloudHsmClusterInvalidConfigurationException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CloudHsmClusterInvalidConfigurationException";
  name = "CloudHsmClusterInvalidConfigurationException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CloudHsmClusterInvalidConfigurationException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CloudHsmClusterInvalidConfigurationException.prototype);
  }
};
var CloudHsmClusterNotActiveException = class _CloudHsmClusterNotActiveException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CloudHsmClusterNotActiveException";
  name = "CloudHsmClusterNotActiveException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CloudHsmClusterNotActiveException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CloudHsmClusterNotActiveException.prototype);
  }
};
var CloudHsmClusterNotFoundException = class _CloudHsmClusterNotFoundException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CloudHsmClusterNotFoundException";
  name = "CloudHsmClusterNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CloudHsmClusterNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CloudHsmClusterNotFoundException.prototype);
  }
};
var CloudHsmClusterNotRelatedException = class _CloudHsmClusterNotRelatedException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CloudHsmClusterNotRelatedException";
  name = "CloudHsmClusterNotRelatedException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CloudHsmClusterNotRelatedException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CloudHsmClusterNotRelatedException.prototype);
  }
};
var ConflictException = class _ConflictException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#ConflictException";
  name = "ConflictException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ConflictException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ConflictException.prototype);
  }
};
var CustomKeyStoreInvalidStateException = class _CustomKeyStoreInvalidStateException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CustomKeyStoreInvalidStateException";
  name = "CustomKeyStoreInvalidStateException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CustomKeyStoreInvalidStateException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CustomKeyStoreInvalidStateException.prototype);
  }
};
var CustomKeyStoreNotFoundException = class _CustomKeyStoreNotFoundException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CustomKeyStoreNotFoundException";
  name = "CustomKeyStoreNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CustomKeyStoreNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CustomKeyStoreNotFoundException.prototype);
  }
};
var InvalidAliasNameException = class _InvalidAliasNameException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidAliasNameException";
  name = "InvalidAliasNameException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidAliasNameException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidAliasNameException.prototype);
  }
};
var LimitExceededException2 = class _LimitExceededException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#LimitExceededException";
  name = "LimitExceededException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "LimitExceededException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _LimitExceededException.prototype);
  }
};
var CustomKeyStoreNameInUseException = class _CustomKeyStoreNameInUseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CustomKeyStoreNameInUseException";
  name = "CustomKeyStoreNameInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CustomKeyStoreNameInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CustomKeyStoreNameInUseException.prototype);
  }
};
var IncorrectTrustAnchorException = class _IncorrectTrustAnchorException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#IncorrectTrustAnchorException";
  name = "IncorrectTrustAnchorException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "IncorrectTrustAnchorException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _IncorrectTrustAnchorException.prototype);
  }
};
var XksProxyIncorrectAuthenticationCredentialException = class _XksProxyIncorrectAuthenticationCredentialException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyIncorrectAuthenticationCredentialException";
  name = "XksProxyIncorrectAuthenticationCredentialException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyIncorrectAuthenticationCredentialException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyIncorrectAuthenticationCredentialException.prototype);
  }
};
var XksProxyInvalidConfigurationException = class _XksProxyInvalidConfigurationException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyInvalidConfigurationException";
  name = "XksProxyInvalidConfigurationException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyInvalidConfigurationException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyInvalidConfigurationException.prototype);
  }
};
var XksProxyInvalidResponseException = class _XksProxyInvalidResponseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyInvalidResponseException";
  name = "XksProxyInvalidResponseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyInvalidResponseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyInvalidResponseException.prototype);
  }
};
var XksProxyUriEndpointInUseException = class _XksProxyUriEndpointInUseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyUriEndpointInUseException";
  name = "XksProxyUriEndpointInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyUriEndpointInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyUriEndpointInUseException.prototype);
  }
};
var XksProxyUriInUseException = class _XksProxyUriInUseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyUriInUseException";
  name = "XksProxyUriInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyUriInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyUriInUseException.prototype);
  }
};
var XksProxyUriUnreachableException = class _XksProxyUriUnreachableException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyUriUnreachableException";
  name = "XksProxyUriUnreachableException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyUriUnreachableException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyUriUnreachableException.prototype);
  }
};
var XksProxyVpcEndpointServiceInUseException = class _XksProxyVpcEndpointServiceInUseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyVpcEndpointServiceInUseException";
  name = "XksProxyVpcEndpointServiceInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyVpcEndpointServiceInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyVpcEndpointServiceInUseException.prototype);
  }
};
var XksProxyVpcEndpointServiceInvalidConfigurationException = class _XksProxyVpcEndpointServiceInvalidConfigurationException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyVpcEndpointServiceInvalidConfigurationException";
  name = "XksProxyVpcEndpointServiceInvalidConfigurationException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyVpcEndpointServiceInvalidConfigurationException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyVpcEndpointServiceInvalidConfigurationException.prototype);
  }
};
var XksProxyVpcEndpointServiceNotFoundException = class _XksProxyVpcEndpointServiceNotFoundException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksProxyVpcEndpointServiceNotFoundException";
  name = "XksProxyVpcEndpointServiceNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksProxyVpcEndpointServiceNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksProxyVpcEndpointServiceNotFoundException.prototype);
  }
};
var DisabledException = class _DisabledException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#DisabledException";
  name = "DisabledException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "DisabledException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _DisabledException.prototype);
  }
};
var DryRunOperationException = class _DryRunOperationException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#DryRunOperationException";
  name = "DryRunOperationException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "DryRunOperationException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _DryRunOperationException.prototype);
  }
};
var InvalidGrantTokenException = class _InvalidGrantTokenException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidGrantTokenException";
  name = "InvalidGrantTokenException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidGrantTokenException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidGrantTokenException.prototype);
  }
};
var MalformedPolicyDocumentException = class _MalformedPolicyDocumentException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#MalformedPolicyDocumentException";
  name = "MalformedPolicyDocumentException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "MalformedPolicyDocumentException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _MalformedPolicyDocumentException.prototype);
  }
};
var TagException = class _TagException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#TagException";
  name = "TagException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "TagException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _TagException.prototype);
  }
};
var UnsupportedOperationException = class _UnsupportedOperationException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#UnsupportedOperationException";
  name = "UnsupportedOperationException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "UnsupportedOperationException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _UnsupportedOperationException.prototype);
  }
};
var XksKeyAlreadyInUseException = class _XksKeyAlreadyInUseException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksKeyAlreadyInUseException";
  name = "XksKeyAlreadyInUseException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksKeyAlreadyInUseException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksKeyAlreadyInUseException.prototype);
  }
};
var XksKeyInvalidConfigurationException = class _XksKeyInvalidConfigurationException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksKeyInvalidConfigurationException";
  name = "XksKeyInvalidConfigurationException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksKeyInvalidConfigurationException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksKeyInvalidConfigurationException.prototype);
  }
};
var XksKeyNotFoundException = class _XksKeyNotFoundException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#XksKeyNotFoundException";
  name = "XksKeyNotFoundException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "XksKeyNotFoundException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _XksKeyNotFoundException.prototype);
  }
};
var CustomKeyStoreHasCMKsException = class _CustomKeyStoreHasCMKsException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#CustomKeyStoreHasCMKsException";
  name = "CustomKeyStoreHasCMKsException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "CustomKeyStoreHasCMKsException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _CustomKeyStoreHasCMKsException.prototype);
  }
};
var InvalidCiphertextException = class _InvalidCiphertextException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidCiphertextException";
  name = "InvalidCiphertextException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidCiphertextException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidCiphertextException.prototype);
  }
};
var InvalidKeyUsageException = class _InvalidKeyUsageException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidKeyUsageException";
  name = "InvalidKeyUsageException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidKeyUsageException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidKeyUsageException.prototype);
  }
};
var KeyUnavailableException = class _KeyUnavailableException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#KeyUnavailableException";
  name = "KeyUnavailableException";
  $fault = "server";
  constructor(opts) {
    super({
      name: "KeyUnavailableException",
      $fault: "server",
      ...opts
    });
    Object.setPrototypeOf(this, _KeyUnavailableException.prototype);
  }
};
var IncorrectKeyException = class _IncorrectKeyException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#IncorrectKeyException";
  name = "IncorrectKeyException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "IncorrectKeyException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _IncorrectKeyException.prototype);
  }
};
var InvalidMarkerException = class _InvalidMarkerException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidMarkerException";
  name = "InvalidMarkerException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidMarkerException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidMarkerException.prototype);
  }
};
var ExpiredImportTokenException = class _ExpiredImportTokenException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#ExpiredImportTokenException";
  name = "ExpiredImportTokenException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "ExpiredImportTokenException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _ExpiredImportTokenException.prototype);
  }
};
var IncorrectKeyMaterialException = class _IncorrectKeyMaterialException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#IncorrectKeyMaterialException";
  name = "IncorrectKeyMaterialException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "IncorrectKeyMaterialException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _IncorrectKeyMaterialException.prototype);
  }
};
var InvalidImportTokenException = class _InvalidImportTokenException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidImportTokenException";
  name = "InvalidImportTokenException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidImportTokenException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidImportTokenException.prototype);
  }
};
var InvalidGrantIdException = class _InvalidGrantIdException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#InvalidGrantIdException";
  name = "InvalidGrantIdException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "InvalidGrantIdException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _InvalidGrantIdException.prototype);
  }
};
var KMSInvalidMacException = class _KMSInvalidMacException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#KMSInvalidMacException";
  name = "KMSInvalidMacException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "KMSInvalidMacException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _KMSInvalidMacException.prototype);
  }
};
var KMSInvalidSignatureException = class _KMSInvalidSignatureException extends KMSServiceException {
  static shapeId = "com.amazonaws.kms#KMSInvalidSignatureException";
  name = "KMSInvalidSignatureException";
  $fault = "client";
  constructor(opts) {
    super({
      name: "KMSInvalidSignatureException",
      $fault: "client",
      ...opts
    });
    Object.setPrototypeOf(this, _KMSInvalidSignatureException.prototype);
  }
};

// node_modules/@aws-sdk/client-kms/dist-es/schemas/schemas_0.js
var _A2 = "Arn";
var _AA = "AliasArn";
var _AD2 = "AttestationDocument";
var _AEE = "AlreadyExistsException";
var _AKI = "AccessKeyId";
var _AL = "AliasList";
var _ALE = "AliasListEntry";
var _AN2 = "AliasName";
var _AWSAI = "AWSAccountId";
var _Al = "Aliases";
var _BPLSC = "BypassPolicyLockoutSafetyCheck";
var _C2 = "Constraints";
var _CA = "CreateAlias";
var _CAR = "CreateAliasRequest";
var _CB2 = "CiphertextBlob";
var _CCKS = "ConnectCustomKeyStore";
var _CCKSR = "ConnectCustomKeyStoreRequest";
var _CCKSRo = "ConnectCustomKeyStoreResponse";
var _CCKSRr = "CreateCustomKeyStoreRequest";
var _CCKSRre = "CreateCustomKeyStoreResponse";
var _CCKSr = "CreateCustomKeyStore";
var _CD = "CreationDate";
var _CE2 = "ConflictException";
var _CEC = "ConnectionErrorCode";
var _CFR = "CiphertextForRecipient";
var _CG = "CreateGrant";
var _CGR = "CreateGrantRequest";
var _CGRr = "CreateGrantResponse";
var _CHCI = "CloudHsmClusterId";
var _CHCICE = "CloudHsmClusterInvalidConfigurationException";
var _CHCIUE = "CloudHsmClusterInUseException";
var _CHCNAE = "CloudHsmClusterNotActiveException";
var _CHCNFE = "CloudHsmClusterNotFoundException";
var _CHCNRE = "CloudHsmClusterNotRelatedException";
var _CK = "CreateKey";
var _CKD = "CancelKeyDeletion";
var _CKDR = "CancelKeyDeletionRequest";
var _CKDRa = "CancelKeyDeletionResponse";
var _CKMI = "CurrentKeyMaterialId";
var _CKR = "CreateKeyRequest";
var _CKRr = "CreateKeyResponse";
var _CKS = "CustomKeyStores";
var _CKSHCMKE = "CustomKeyStoreHasCMKsException";
var _CKSI = "CustomKeyStoreId";
var _CKSISE = "CustomKeyStoreInvalidStateException";
var _CKSL = "CustomKeyStoresList";
var _CKSLE = "CustomKeyStoresListEntry";
var _CKSN = "CustomKeyStoreName";
var _CKSNFE = "CustomKeyStoreNotFoundException";
var _CKSNIUE = "CustomKeyStoreNameInUseException";
var _CKST = "CustomKeyStoreType";
var _CMKS = "CustomerMasterKeySpec";
var _CS = "ConnectionState";
var _CTEI = "CloudTrailEventId";
var _Co2 = "Connectivity";
var _D2 = "Description";
var _DA = "DeleteAlias";
var _DAR = "DeleteAliasRequest";
var _DCKS = "DeleteCustomKeyStore";
var _DCKSR = "DeleteCustomKeyStoreRequest";
var _DCKSRe = "DeleteCustomKeyStoreResponse";
var _DCKSRes = "DescribeCustomKeyStoresRequest";
var _DCKSResc = "DescribeCustomKeyStoresResponse";
var _DCKSRi = "DisconnectCustomKeyStoreRequest";
var _DCKSRis = "DisconnectCustomKeyStoreResponse";
var _DCKSe = "DescribeCustomKeyStores";
var _DCKSi = "DisconnectCustomKeyStore";
var _DD = "DeletionDate";
var _DE2 = "DisabledException";
var _DEA = "DestinationEncryptionAlgorithm";
var _DEC = "DestinationEncryptionContext";
var _DIKM = "DeleteImportedKeyMaterial";
var _DIKMR = "DeleteImportedKeyMaterialRequest";
var _DIKMRe = "DeleteImportedKeyMaterialResponse";
var _DK = "DescribeKey";
var _DKI = "DestinationKeyId";
var _DKMI = "DestinationKeyMaterialId";
var _DKR = "DescribeKeyRequest";
var _DKRR = "DisableKeyRotationRequest";
var _DKRe = "DescribeKeyResponse";
var _DKRi = "DisableKeyRequest";
var _DKRis = "DisableKeyRotation";
var _DKi = "DisableKey";
var _DR2 = "DryRun";
var _DRM = "DryRunModifiers";
var _DROE = "DryRunOperationException";
var _DRe = "DecapsulateRequest";
var _DRec = "DecapsulateResponse";
var _DRecr = "DecryptRequest";
var _DRecry = "DecryptResponse";
var _DSS = "DeriveSharedSecret";
var _DSSR = "DeriveSharedSecretRequest";
var _DSSRe = "DeriveSharedSecretResponse";
var _DTE = "DependencyTimeoutException";
var _De2 = "Decapsulate";
var _Dec = "Decrypt";
var _E2 = "Enabled";
var _EA2 = "EncapsulationAlgorithm";
var _EAn = "EncryptionAlgorithm";
var _EAnc = "EncryptionAlgorithms";
var _EAnca = "EncapsulationAlgorithms";
var _EC2 = "EncryptionContext";
var _ECE2 = "EncryptionContextEquals";
var _ECS = "EncryptionContextSubset";
var _EITE = "ExpiredImportTokenException";
var _EK = "EnableKey";
var _EKM = "EncryptedKeyMaterial";
var _EKR = "EnableKeyRequest";
var _EKRR = "EnableKeyRotationRequest";
var _EKRn = "EnableKeyRotation";
var _EM2 = "ExpirationModel";
var _ER = "EncapsulateRequest";
var _ERn = "EncapsulateResponse";
var _ERnc = "EncryptRequest";
var _ERncr = "EncryptResponse";
var _En2 = "Encapsulate";
var _Enc = "Encrypt";
var _G2 = "Grants";
var _GC = "GrantConstraints";
var _GDK = "GenerateDataKey";
var _GDKP = "GenerateDataKeyPair";
var _GDKPR = "GenerateDataKeyPairRequest";
var _GDKPRe = "GenerateDataKeyPairResponse";
var _GDKPWP = "GenerateDataKeyPairWithoutPlaintext";
var _GDKPWPR = "GenerateDataKeyPairWithoutPlaintextRequest";
var _GDKPWPRe = "GenerateDataKeyPairWithoutPlaintextResponse";
var _GDKR = "GenerateDataKeyRequest";
var _GDKRe = "GenerateDataKeyResponse";
var _GDKWP = "GenerateDataKeyWithoutPlaintext";
var _GDKWPR = "GenerateDataKeyWithoutPlaintextRequest";
var _GDKWPRe = "GenerateDataKeyWithoutPlaintextResponse";
var _GI2 = "GrantId";
var _GKLU = "GetKeyLastUsage";
var _GKLUR = "GetKeyLastUsageRequest";
var _GKLURe = "GetKeyLastUsageResponse";
var _GKP = "GetKeyPolicy";
var _GKPR = "GetKeyPolicyRequest";
var _GKPRe = "GetKeyPolicyResponse";
var _GKRS = "GetKeyRotationStatus";
var _GKRSR = "GetKeyRotationStatusRequest";
var _GKRSRe = "GetKeyRotationStatusResponse";
var _GL = "GrantList";
var _GLE = "GrantListEntry";
var _GM = "GenerateMac";
var _GMR = "GenerateMacRequest";
var _GMRe = "GenerateMacResponse";
var _GP = "GranteePrincipal";
var _GPFI = "GetParametersForImport";
var _GPFIR = "GetParametersForImportRequest";
var _GPFIRe = "GetParametersForImportResponse";
var _GPK = "GetPublicKey";
var _GPKR = "GetPublicKeyRequest";
var _GPKRe = "GetPublicKeyResponse";
var _GR = "GenerateRandom";
var _GRR = "GenerateRandomRequest";
var _GRRe = "GenerateRandomResponse";
var _GSP = "GranteeServicePrincipal";
var _GT2 = "GrantTokens";
var _GTr = "GrantToken";
var _I2 = "Id";
var _IA2 = "IssuingAccount";
var _IAE = "InvalidArnException";
var _IANE = "InvalidAliasNameException";
var _ICE2 = "InvalidCiphertextException";
var _IGIE = "InvalidGrantIdException";
var _IGTE = "InvalidGrantTokenException";
var _IITE = "InvalidImportTokenException";
var _IKE = "IncorrectKeyException";
var _IKM = "IncludeKeyMaterial";
var _IKME = "IncorrectKeyMaterialException";
var _IKMR = "ImportKeyMaterialRequest";
var _IKMRm = "ImportKeyMaterialResponse";
var _IKMm = "ImportKeyMaterial";
var _IKUE = "InvalidKeyUsageException";
var _IME = "InvalidMarkerException";
var _IS2 = "ImportState";
var _IT2 = "ImportToken";
var _ITAE = "IncorrectTrustAnchorException";
var _ITm = "ImportType";
var _K2 = "Keys";
var _KA = "KeyArn";
var _KAA2 = "KeyAgreementAlgorithm";
var _KAAe = "KeyAgreementAlgorithms";
var _KCD = "KeyCreationDate";
var _KEA = "KeyEncryptionAlgorithm";
var _KI = "KeyId";
var _KL2 = "KeyList";
var _KLE = "KeyListEntry";
var _KLU = "KeyLastUsage";
var _KLUD = "KeyLastUsageData";
var _KM = "KeyMetadata";
var _KMD = "KeyMaterialDescription";
var _KMI = "KeyMaterialId";
var _KMS = "KeyMaterialState";
var _KMSIE = "KMSInternalException";
var _KMSIME = "KMSInvalidMacException";
var _KMSISE = "KMSInvalidSignatureException";
var _KMSISEn = "KMSInvalidStateException";
var _KMe = "KeyManager";
var _KO = "KeyOrigin";
var _KPS = "KeyPairSpec";
var _KRE = "KeyRotationEnabled";
var _KRI = "KmsRequestId";
var _KS2 = "KeySpec";
var _KSP = "KeyStorePassword";
var _KSPT = "KeyStorePasswordType";
var _KSe = "KeyState";
var _KU = "KeyUsage";
var _KUE = "KeyUnavailableException";
var _L2 = "Limit";
var _LA = "ListAliases";
var _LAR = "ListAliasesRequest";
var _LARi = "ListAliasesResponse";
var _LEE2 = "LimitExceededException";
var _LG = "ListGrants";
var _LGR = "ListGrantsRequest";
var _LGRi = "ListGrantsResponse";
var _LK = "ListKeys";
var _LKP = "ListKeyPolicies";
var _LKPR = "ListKeyPoliciesRequest";
var _LKPRi = "ListKeyPoliciesResponse";
var _LKR = "ListKeysRequest";
var _LKRR = "ListKeyRotationsRequest";
var _LKRRi = "ListKeyRotationsResponse";
var _LKRi = "ListKeysResponse";
var _LKRis = "ListKeyRotations";
var _LRG = "ListRetirableGrants";
var _LRGR = "ListRetirableGrantsRequest";
var _LRT = "ListResourceTags";
var _LRTR = "ListResourceTagsRequest";
var _LRTRi = "ListResourceTagsResponse";
var _LUD = "LastUpdatedDate";
var _M2 = "Marker";
var _MA = "MacAlgorithm";
var _MAa = "MacAlgorithms";
var _MPDE = "MalformedPolicyDocumentException";
var _MR2 = "MultiRegion";
var _MRC2 = "MultiRegionConfiguration";
var _MRK = "MultiRegionKey";
var _MRKL = "MultiRegionKeyList";
var _MRKT = "MultiRegionKeyType";
var _MT = "MessageType";
var _MV = "MacValid";
var _Ma = "Mac";
var _Me = "Message";
var _N2 = "Name";
var _NCKSN = "NewCustomKeyStoreName";
var _NFE = "NotFoundException";
var _NM = "NextMarker";
var _NOB = "NumberOfBytes";
var _NRD = "NextRotationDate";
var _O = "Operations";
var _ODRSD = "OnDemandRotationStartDate";
var _Op = "Operation";
var _Or = "Origin";
var _P2 = "Policy";
var _PDWID = "PendingDeletionWindowInDays";
var _PK = "PublicKey";
var _PKCB = "PrivateKeyCiphertextBlob";
var _PKP = "PrivateKeyPlaintext";
var _PKPR = "PutKeyPolicyRequest";
var _PKPu = "PutKeyPolicy";
var _PKr = "PrimaryKey";
var _PN2 = "PolicyName";
var _PNo = "PolicyNames";
var _PR2 = "PrimaryRegion";
var _PT2 = "PlaintextType";
var _PVT = "ParametersValidTo";
var _PWID = "PendingWindowInDays";
var _Pl = "Plaintext";
var _R2 = "Recipient";
var _RD2 = "RotationDate";
var _RE = "ReEncrypt";
var _RER = "ReEncryptRequest";
var _RERe = "ReEncryptResponse";
var _RG2 = "RetireGrant";
var _RGR = "RetireGrantRequest";
var _RGRe = "RevokeGrantRequest";
var _RGe = "RevokeGrant";
var _RI2 = "RecipientInfo";
var _RK = "ReplicaKeys";
var _RKM = "ReplicaKeyMetadata";
var _RKOD = "RotateKeyOnDemand";
var _RKODR = "RotateKeyOnDemandRequest";
var _RKODRo = "RotateKeyOnDemandResponse";
var _RKR = "ReplicateKeyRequest";
var _RKRe = "ReplicateKeyResponse";
var _RKe = "ReplicateKey";
var _RL2 = "RotationsList";
var _RLE2 = "RotationsListEntry";
var _RP2 = "RetiringPrincipal";
var _RPID2 = "RotationPeriodInDays";
var _RPe = "ReplicaPolicy";
var _RR = "ReplicaRegion";
var _RSAK = "RawSecretAccessKey";
var _RSP = "RetiringServicePrincipal";
var _RT = "ReplicaTags";
var _RTo = "RotationType";
var _Re2 = "Region";
var _Ro = "Rotations";
var _S2 = "Signature";
var _SA2 = "SigningAlgorithms";
var _SAi = "SigningAlgorithm";
var _SAo = "SourceArn";
var _SEA = "SourceEncryptionAlgorithm";
var _SEC = "SourceEncryptionContext";
var _SKD = "ScheduleKeyDeletion";
var _SKDR = "ScheduleKeyDeletionRequest";
var _SKDRc = "ScheduleKeyDeletionResponse";
var _SKI = "SourceKeyId";
var _SKMI = "SourceKeyMaterialId";
var _SR2 = "SignRequest";
var _SRi = "SignResponse";
var _SS2 = "SharedSecret";
var _SSCB = "SharedSecretCiphertextBlob";
var _SV2 = "SignatureValid";
var _Si = "Sign";
var _T2 = "Tags";
var _TAC = "TrustAnchorCertificate";
var _TE2 = "TagException";
var _TK2 = "TagKey";
var _TKI = "TargetKeyId";
var _TKa2 = "TagKeys";
var _TL2 = "TagList";
var _TR2 = "TagResource";
var _TRR = "TagResourceRequest";
var _TSD = "TrackingStartDate";
var _TV2 = "TagValue";
var _Ta2 = "Tag";
var _Ti = "Timestamp";
var _Tr = "Truncated";
var _UA = "UpdateAlias";
var _UAR = "UpdateAliasRequest";
var _UCKS = "UpdateCustomKeyStore";
var _UCKSR = "UpdateCustomKeyStoreRequest";
var _UCKSRp = "UpdateCustomKeyStoreResponse";
var _UE2 = "UriEndpoint";
var _UKD = "UpdateKeyDescription";
var _UKDR = "UpdateKeyDescriptionRequest";
var _UOE = "UnsupportedOperationException";
var _UP = "UriPath";
var _UPR = "UpdatePrimaryRegion";
var _UPRR = "UpdatePrimaryRegionRequest";
var _UR2 = "UntagResource";
var _URR = "UntagResourceRequest";
var _V2 = "Verify";
var _VESN = "VpcEndpointServiceName";
var _VESO = "VpcEndpointServiceOwner";
var _VM = "VerifyMac";
var _VMR = "VerifyMacRequest";
var _VMRe = "VerifyMacResponse";
var _VR = "VerifyRequest";
var _VRe = "VerifyResponse";
var _VT = "ValidTo";
var _WA = "WrappingAlgorithm";
var _WKS = "WrappingKeySpec";
var _XKAIUE = "XksKeyAlreadyInUseException";
var _XKC = "XksKeyConfiguration";
var _XKCT = "XksKeyConfigurationType";
var _XKI = "XksKeyId";
var _XKICE = "XksKeyInvalidConfigurationException";
var _XKNFE = "XksKeyNotFoundException";
var _XPAAKIT = "XksProxyAuthenticationAccessKeyIdType";
var _XPAC = "XksProxyAuthenticationCredential";
var _XPACT = "XksProxyAuthenticationCredentialType";
var _XPARSAKT = "XksProxyAuthenticationRawSecretAccessKeyType";
var _XPC = "XksProxyConnectivity";
var _XPCT = "XksProxyConfigurationType";
var _XPCk = "XksProxyConfiguration";
var _XPIACE = "XksProxyIncorrectAuthenticationCredentialException";
var _XPICE = "XksProxyInvalidConfigurationException";
var _XPIRE = "XksProxyInvalidResponseException";
var _XPUE = "XksProxyUriEndpoint";
var _XPUEIUE = "XksProxyUriEndpointInUseException";
var _XPUIUE = "XksProxyUriInUseException";
var _XPUP = "XksProxyUriPath";
var _XPUUE = "XksProxyUriUnreachableException";
var _XPVESICE = "XksProxyVpcEndpointServiceInvalidConfigurationException";
var _XPVESIUE = "XksProxyVpcEndpointServiceInUseException";
var _XPVESN = "XksProxyVpcEndpointServiceName";
var _XPVESNFE = "XksProxyVpcEndpointServiceNotFoundException";
var _XPVESO = "XksProxyVpcEndpointServiceOwner";
var _aQE2 = "awsQueryError";
var _c2 = "client";
var _e2 = "error";
var _hE2 = "httpError";
var _m2 = "message";
var _s2 = "smithy.ts.sdk.synthetic.com.amazonaws.kms";
var _se2 = "server";
var n02 = "com.amazonaws.kms";
var _s_registry2 = new TypeRegistry(_s2);
var KMSServiceException$ = [-3, _s2, "KMSServiceException", 0, [], []];
_s_registry2.registerError(KMSServiceException$, KMSServiceException);
var n0_registry2 = new TypeRegistry(n02);
var AlreadyExistsException$ = [
  -3,
  n02,
  _AEE,
  { [_aQE2]: [`AlreadyExists`, 409], [_e2]: _c2, [_hE2]: 409 },
  [_m2],
  [0]
];
var CloudHsmClusterInUseException$ = [
  -3,
  n02,
  _CHCIUE,
  { [_aQE2]: [`CloudHsmClusterInUseException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CloudHsmClusterInvalidConfigurationException$ = [
  -3,
  n02,
  _CHCICE,
  { [_aQE2]: [`CloudHsmClusterInvalidConfigurationException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CloudHsmClusterNotActiveException$ = [
  -3,
  n02,
  _CHCNAE,
  { [_aQE2]: [`CloudHsmClusterNotActiveException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CloudHsmClusterNotFoundException$ = [
  -3,
  n02,
  _CHCNFE,
  { [_aQE2]: [`CloudHsmClusterNotFoundException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CloudHsmClusterNotRelatedException$ = [
  -3,
  n02,
  _CHCNRE,
  { [_aQE2]: [`CloudHsmClusterNotRelatedException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var ConflictException$ = [
  -3,
  n02,
  _CE2,
  { [_aQE2]: [`ConflictException`, 409], [_e2]: _c2, [_hE2]: 409 },
  [_m2],
  [0]
];
var CustomKeyStoreHasCMKsException$ = [
  -3,
  n02,
  _CKSHCMKE,
  { [_aQE2]: [`CustomKeyStoreHasCMKsException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CustomKeyStoreInvalidStateException$ = [
  -3,
  n02,
  _CKSISE,
  { [_aQE2]: [`CustomKeyStoreInvalidStateException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CustomKeyStoreNameInUseException$ = [
  -3,
  n02,
  _CKSNIUE,
  { [_aQE2]: [`CustomKeyStoreNameInUseException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var CustomKeyStoreNotFoundException$ = [
  -3,
  n02,
  _CKSNFE,
  { [_aQE2]: [`CustomKeyStoreNotFoundException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var DependencyTimeoutException$ = [
  -3,
  n02,
  _DTE,
  { [_aQE2]: [`DependencyTimeout`, 503], [_e2]: _se2, [_hE2]: 503 },
  [_m2],
  [0]
];
var DisabledException$ = [
  -3,
  n02,
  _DE2,
  { [_aQE2]: [`Disabled`, 409], [_e2]: _c2, [_hE2]: 409 },
  [_m2],
  [0]
];
var DryRunOperationException$ = [
  -3,
  n02,
  _DROE,
  { [_aQE2]: [`DryRunOperation`, 412], [_e2]: _c2, [_hE2]: 412 },
  [_m2],
  [0]
];
var ExpiredImportTokenException$ = [
  -3,
  n02,
  _EITE,
  { [_aQE2]: [`ExpiredImportTokenException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var IncorrectKeyException$ = [
  -3,
  n02,
  _IKE,
  { [_aQE2]: [`IncorrectKeyException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var IncorrectKeyMaterialException$ = [
  -3,
  n02,
  _IKME,
  { [_aQE2]: [`IncorrectKeyMaterialException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var IncorrectTrustAnchorException$ = [
  -3,
  n02,
  _ITAE,
  { [_aQE2]: [`IncorrectTrustAnchorException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidAliasNameException$ = [
  -3,
  n02,
  _IANE,
  { [_aQE2]: [`InvalidAliasName`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidArnException$ = [
  -3,
  n02,
  _IAE,
  { [_aQE2]: [`InvalidArn`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidCiphertextException$ = [
  -3,
  n02,
  _ICE2,
  { [_aQE2]: [`InvalidCiphertext`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidGrantIdException$ = [
  -3,
  n02,
  _IGIE,
  { [_aQE2]: [`InvalidGrantId`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidGrantTokenException$ = [
  -3,
  n02,
  _IGTE,
  { [_aQE2]: [`InvalidGrantToken`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidImportTokenException$ = [
  -3,
  n02,
  _IITE,
  { [_aQE2]: [`InvalidImportTokenException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidKeyUsageException$ = [
  -3,
  n02,
  _IKUE,
  { [_aQE2]: [`InvalidKeyUsage`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var InvalidMarkerException$ = [
  -3,
  n02,
  _IME,
  { [_aQE2]: [`InvalidMarker`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var KeyUnavailableException$ = [
  -3,
  n02,
  _KUE,
  { [_aQE2]: [`KeyUnavailable`, 500], [_e2]: _se2, [_hE2]: 500 },
  [_m2],
  [0]
];
var KMSInternalException$ = [
  -3,
  n02,
  _KMSIE,
  { [_aQE2]: [`KMSInternal`, 500], [_e2]: _se2, [_hE2]: 500 },
  [_m2],
  [0]
];
var KMSInvalidMacException$ = [
  -3,
  n02,
  _KMSIME,
  { [_aQE2]: [`KMSInvalidMac`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var KMSInvalidSignatureException$ = [
  -3,
  n02,
  _KMSISE,
  { [_aQE2]: [`KMSInvalidSignature`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var KMSInvalidStateException$ = [
  -3,
  n02,
  _KMSISEn,
  { [_aQE2]: [`KMSInvalidStateException`, 409], [_e2]: _c2, [_hE2]: 409 },
  [_m2],
  [0]
];
var LimitExceededException$2 = [
  -3,
  n02,
  _LEE2,
  { [_aQE2]: [`LimitExceeded`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var MalformedPolicyDocumentException$ = [
  -3,
  n02,
  _MPDE,
  { [_aQE2]: [`MalformedPolicyDocument`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var NotFoundException$ = [
  -3,
  n02,
  _NFE,
  { [_aQE2]: [`NotFound`, 404], [_e2]: _c2, [_hE2]: 404 },
  [_m2],
  [0]
];
var TagException$ = [
  -3,
  n02,
  _TE2,
  { [_aQE2]: [`TagException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var UnsupportedOperationException$ = [
  -3,
  n02,
  _UOE,
  { [_aQE2]: [`UnsupportedOperation`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksKeyAlreadyInUseException$ = [
  -3,
  n02,
  _XKAIUE,
  { [_aQE2]: [`XksKeyAlreadyInUse`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksKeyInvalidConfigurationException$ = [
  -3,
  n02,
  _XKICE,
  { [_aQE2]: [`XksKeyInvalidConfiguration`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksKeyNotFoundException$ = [
  -3,
  n02,
  _XKNFE,
  { [_aQE2]: [`XksKeyNotFoundException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyIncorrectAuthenticationCredentialException$ = [
  -3,
  n02,
  _XPIACE,
  { [_aQE2]: [`XksProxyIncorrectAuthenticationCredentialException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyInvalidConfigurationException$ = [
  -3,
  n02,
  _XPICE,
  { [_aQE2]: [`XksProxyInvalidConfigurationException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyInvalidResponseException$ = [
  -3,
  n02,
  _XPIRE,
  { [_aQE2]: [`XksProxyInvalidResponseException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyUriEndpointInUseException$ = [
  -3,
  n02,
  _XPUEIUE,
  { [_aQE2]: [`XksProxyUriEndpointInUseException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyUriInUseException$ = [
  -3,
  n02,
  _XPUIUE,
  { [_aQE2]: [`XksProxyUriInUseException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyUriUnreachableException$ = [
  -3,
  n02,
  _XPUUE,
  { [_aQE2]: [`XksProxyUriUnreachableException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyVpcEndpointServiceInUseException$ = [
  -3,
  n02,
  _XPVESIUE,
  { [_aQE2]: [`XksProxyVpcEndpointServiceInUseException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyVpcEndpointServiceInvalidConfigurationException$ = [
  -3,
  n02,
  _XPVESICE,
  { [_aQE2]: [`XksProxyVpcEndpointServiceInvalidConfigurationException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var XksProxyVpcEndpointServiceNotFoundException$ = [
  -3,
  n02,
  _XPVESNFE,
  { [_aQE2]: [`XksProxyVpcEndpointServiceNotFoundException`, 400], [_e2]: _c2, [_hE2]: 400 },
  [_m2],
  [0]
];
var errorTypeRegistries2 = [
  _s_registry2,
  n0_registry2
];
var KeyStorePasswordType = [0, n02, _KSPT, 8, 0];
var PlaintextType = [0, n02, _PT2, 8, 21];
var XksProxyAuthenticationAccessKeyIdType = [0, n02, _XPAAKIT, 8, 0];
var XksProxyAuthenticationRawSecretAccessKeyType = [0, n02, _XPARSAKT, 8, 0];
var AliasListEntry$ = [
  3,
  n02,
  _ALE,
  0,
  [_AN2, _AA, _TKI, _CD, _LUD],
  [0, 0, 0, 4, 4]
];
var CancelKeyDeletionRequest$ = [
  3,
  n02,
  _CKDR,
  0,
  [_KI],
  [0],
  1
];
var CancelKeyDeletionResponse$ = [
  3,
  n02,
  _CKDRa,
  0,
  [_KI],
  [0]
];
var ConnectCustomKeyStoreRequest$ = [
  3,
  n02,
  _CCKSR,
  0,
  [_CKSI],
  [0],
  1
];
var ConnectCustomKeyStoreResponse$ = [
  3,
  n02,
  _CCKSRo,
  0,
  [],
  []
];
var CreateAliasRequest$ = [
  3,
  n02,
  _CAR,
  0,
  [_AN2, _TKI],
  [0, 0],
  2
];
var CreateCustomKeyStoreRequest$ = [
  3,
  n02,
  _CCKSRr,
  0,
  [_CKSN, _CHCI, _TAC, _KSP, _CKST, _XPUE, _XPUP, _XPVESN, _XPVESO, _XPAC, _XPC],
  [0, 0, 0, [() => KeyStorePasswordType, 0], 0, 0, 0, 0, 0, [() => XksProxyAuthenticationCredentialType$, 0], 0],
  1
];
var CreateCustomKeyStoreResponse$ = [
  3,
  n02,
  _CCKSRre,
  0,
  [_CKSI],
  [0]
];
var CreateGrantRequest$ = [
  3,
  n02,
  _CGR,
  0,
  [_KI, _O, _GP, _RP2, _C2, _GT2, _N2, _DR2, _GSP, _RSP],
  [0, 64 | 0, 0, 0, () => GrantConstraints$, 64 | 0, 0, 2, 0, 0],
  2
];
var CreateGrantResponse$ = [
  3,
  n02,
  _CGRr,
  0,
  [_GTr, _GI2],
  [0, 0]
];
var CreateKeyRequest$ = [
  3,
  n02,
  _CKR,
  0,
  [_P2, _D2, _KU, _CMKS, _KS2, _Or, _CKSI, _BPLSC, _T2, _MR2, _XKI],
  [0, 0, 0, 0, 0, 0, 0, 2, () => TagList2, 2, 0]
];
var CreateKeyResponse$ = [
  3,
  n02,
  _CKRr,
  0,
  [_KM],
  [() => KeyMetadata$]
];
var CustomKeyStoresListEntry$ = [
  3,
  n02,
  _CKSLE,
  0,
  [_CKSI, _CKSN, _CHCI, _TAC, _CS, _CEC, _CD, _CKST, _XPCk],
  [0, 0, 0, 0, 0, 0, 4, 0, [() => XksProxyConfigurationType$, 0]]
];
var DecapsulateRequest$ = [
  3,
  n02,
  _DRe,
  0,
  [_KI, _SSCB, _EA2, _GT2, _DR2],
  [0, 21, 0, 64 | 0, 2],
  3
];
var DecapsulateResponse$ = [
  3,
  n02,
  _DRec,
  0,
  [_KI, _SS2, _EA2],
  [0, [() => PlaintextType, 0], 0]
];
var DecryptRequest$ = [
  3,
  n02,
  _DRecr,
  0,
  [_CB2, _EC2, _GT2, _KI, _EAn, _R2, _DR2, _DRM],
  [21, 128 | 0, 64 | 0, 0, 0, () => RecipientInfo$, 2, 64 | 0]
];
var DecryptResponse$ = [
  3,
  n02,
  _DRecry,
  0,
  [_KI, _Pl, _EAn, _CFR, _KMI],
  [0, [() => PlaintextType, 0], 0, 21, 0]
];
var DeleteAliasRequest$ = [
  3,
  n02,
  _DAR,
  0,
  [_AN2],
  [0],
  1
];
var DeleteCustomKeyStoreRequest$ = [
  3,
  n02,
  _DCKSR,
  0,
  [_CKSI],
  [0],
  1
];
var DeleteCustomKeyStoreResponse$ = [
  3,
  n02,
  _DCKSRe,
  0,
  [],
  []
];
var DeleteImportedKeyMaterialRequest$ = [
  3,
  n02,
  _DIKMR,
  0,
  [_KI, _KMI],
  [0, 0],
  1
];
var DeleteImportedKeyMaterialResponse$ = [
  3,
  n02,
  _DIKMRe,
  0,
  [_KI, _KMI],
  [0, 0]
];
var DeriveSharedSecretRequest$ = [
  3,
  n02,
  _DSSR,
  0,
  [_KI, _KAA2, _PK, _GT2, _DR2, _R2],
  [0, 0, 21, 64 | 0, 2, () => RecipientInfo$],
  3
];
var DeriveSharedSecretResponse$ = [
  3,
  n02,
  _DSSRe,
  0,
  [_KI, _SS2, _CFR, _KAA2, _KO],
  [0, [() => PlaintextType, 0], 21, 0, 0]
];
var DescribeCustomKeyStoresRequest$ = [
  3,
  n02,
  _DCKSRes,
  0,
  [_CKSI, _CKSN, _L2, _M2],
  [0, 0, 1, 0]
];
var DescribeCustomKeyStoresResponse$ = [
  3,
  n02,
  _DCKSResc,
  0,
  [_CKS, _NM, _Tr],
  [[() => CustomKeyStoresList, 0], 0, 2]
];
var DescribeKeyRequest$ = [
  3,
  n02,
  _DKR,
  0,
  [_KI, _GT2],
  [0, 64 | 0],
  1
];
var DescribeKeyResponse$ = [
  3,
  n02,
  _DKRe,
  0,
  [_KM],
  [() => KeyMetadata$]
];
var DisableKeyRequest$ = [
  3,
  n02,
  _DKRi,
  0,
  [_KI],
  [0],
  1
];
var DisableKeyRotationRequest$ = [
  3,
  n02,
  _DKRR,
  0,
  [_KI],
  [0],
  1
];
var DisconnectCustomKeyStoreRequest$ = [
  3,
  n02,
  _DCKSRi,
  0,
  [_CKSI],
  [0],
  1
];
var DisconnectCustomKeyStoreResponse$ = [
  3,
  n02,
  _DCKSRis,
  0,
  [],
  []
];
var EnableKeyRequest$ = [
  3,
  n02,
  _EKR,
  0,
  [_KI],
  [0],
  1
];
var EnableKeyRotationRequest$ = [
  3,
  n02,
  _EKRR,
  0,
  [_KI, _RPID2],
  [0, 1],
  1
];
var EncapsulateRequest$ = [
  3,
  n02,
  _ER,
  0,
  [_KI, _EA2, _GT2, _DR2],
  [0, 0, 64 | 0, 2],
  2
];
var EncapsulateResponse$ = [
  3,
  n02,
  _ERn,
  0,
  [_KI, _SS2, _SSCB, _EA2],
  [0, [() => PlaintextType, 0], 21, 0]
];
var EncryptRequest$ = [
  3,
  n02,
  _ERnc,
  0,
  [_KI, _Pl, _EC2, _GT2, _EAn, _DR2],
  [0, [() => PlaintextType, 0], 128 | 0, 64 | 0, 0, 2],
  2
];
var EncryptResponse$ = [
  3,
  n02,
  _ERncr,
  0,
  [_CB2, _KI, _EAn],
  [21, 0, 0]
];
var GenerateDataKeyPairRequest$ = [
  3,
  n02,
  _GDKPR,
  0,
  [_KI, _KPS, _EC2, _GT2, _R2, _DR2],
  [0, 0, 128 | 0, 64 | 0, () => RecipientInfo$, 2],
  2
];
var GenerateDataKeyPairResponse$ = [
  3,
  n02,
  _GDKPRe,
  0,
  [_PKCB, _PKP, _PK, _KI, _KPS, _CFR, _KMI],
  [21, [() => PlaintextType, 0], 21, 0, 0, 21, 0]
];
var GenerateDataKeyPairWithoutPlaintextRequest$ = [
  3,
  n02,
  _GDKPWPR,
  0,
  [_KI, _KPS, _EC2, _GT2, _DR2],
  [0, 0, 128 | 0, 64 | 0, 2],
  2
];
var GenerateDataKeyPairWithoutPlaintextResponse$ = [
  3,
  n02,
  _GDKPWPRe,
  0,
  [_PKCB, _PK, _KI, _KPS, _KMI],
  [21, 21, 0, 0, 0]
];
var GenerateDataKeyRequest$ = [
  3,
  n02,
  _GDKR,
  0,
  [_KI, _EC2, _NOB, _KS2, _GT2, _R2, _DR2],
  [0, 128 | 0, 1, 0, 64 | 0, () => RecipientInfo$, 2],
  1
];
var GenerateDataKeyResponse$ = [
  3,
  n02,
  _GDKRe,
  0,
  [_CB2, _Pl, _KI, _CFR, _KMI],
  [21, [() => PlaintextType, 0], 0, 21, 0]
];
var GenerateDataKeyWithoutPlaintextRequest$ = [
  3,
  n02,
  _GDKWPR,
  0,
  [_KI, _EC2, _KS2, _NOB, _GT2, _DR2],
  [0, 128 | 0, 0, 1, 64 | 0, 2],
  1
];
var GenerateDataKeyWithoutPlaintextResponse$ = [
  3,
  n02,
  _GDKWPRe,
  0,
  [_CB2, _KI, _KMI],
  [21, 0, 0]
];
var GenerateMacRequest$ = [
  3,
  n02,
  _GMR,
  0,
  [_Me, _KI, _MA, _GT2, _DR2],
  [[() => PlaintextType, 0], 0, 0, 64 | 0, 2],
  3
];
var GenerateMacResponse$ = [
  3,
  n02,
  _GMRe,
  0,
  [_Ma, _MA, _KI],
  [21, 0, 0]
];
var GenerateRandomRequest$ = [
  3,
  n02,
  _GRR,
  0,
  [_NOB, _CKSI, _R2],
  [1, 0, () => RecipientInfo$]
];
var GenerateRandomResponse$ = [
  3,
  n02,
  _GRRe,
  0,
  [_Pl, _CFR],
  [[() => PlaintextType, 0], 21]
];
var GetKeyLastUsageRequest$ = [
  3,
  n02,
  _GKLUR,
  0,
  [_KI],
  [0],
  1
];
var GetKeyLastUsageResponse$ = [
  3,
  n02,
  _GKLURe,
  0,
  [_KI, _KLU, _TSD, _KCD],
  [0, () => KeyLastUsageData$, 4, 4]
];
var GetKeyPolicyRequest$ = [
  3,
  n02,
  _GKPR,
  0,
  [_KI, _PN2],
  [0, 0],
  1
];
var GetKeyPolicyResponse$ = [
  3,
  n02,
  _GKPRe,
  0,
  [_P2, _PN2],
  [0, 0]
];
var GetKeyRotationStatusRequest$ = [
  3,
  n02,
  _GKRSR,
  0,
  [_KI],
  [0],
  1
];
var GetKeyRotationStatusResponse$ = [
  3,
  n02,
  _GKRSRe,
  0,
  [_KRE, _KI, _RPID2, _NRD, _ODRSD],
  [2, 0, 1, 4, 4]
];
var GetParametersForImportRequest$ = [
  3,
  n02,
  _GPFIR,
  0,
  [_KI, _WA, _WKS],
  [0, 0, 0],
  3
];
var GetParametersForImportResponse$ = [
  3,
  n02,
  _GPFIRe,
  0,
  [_KI, _IT2, _PK, _PVT],
  [0, 21, [() => PlaintextType, 0], 4]
];
var GetPublicKeyRequest$ = [
  3,
  n02,
  _GPKR,
  0,
  [_KI, _GT2],
  [0, 64 | 0],
  1
];
var GetPublicKeyResponse$ = [
  3,
  n02,
  _GPKRe,
  0,
  [_KI, _PK, _CMKS, _KS2, _KU, _EAnc, _SA2, _KAAe, _EAnca],
  [0, 21, 0, 0, 0, 64 | 0, 64 | 0, 64 | 0, 64 | 0]
];
var GrantConstraints$ = [
  3,
  n02,
  _GC,
  0,
  [_ECS, _ECE2, _SAo],
  [128 | 0, 128 | 0, 0]
];
var GrantListEntry$ = [
  3,
  n02,
  _GLE,
  0,
  [_KI, _GI2, _N2, _CD, _GP, _RP2, _IA2, _O, _C2, _GSP, _RSP],
  [0, 0, 0, 4, 0, 0, 0, 64 | 0, () => GrantConstraints$, 0, 0]
];
var ImportKeyMaterialRequest$ = [
  3,
  n02,
  _IKMR,
  0,
  [_KI, _IT2, _EKM, _VT, _EM2, _ITm, _KMD, _KMI],
  [0, 21, 21, 4, 0, 0, 0, 0],
  3
];
var ImportKeyMaterialResponse$ = [
  3,
  n02,
  _IKMRm,
  0,
  [_KI, _KMI],
  [0, 0]
];
var KeyLastUsageData$ = [
  3,
  n02,
  _KLUD,
  0,
  [_Op, _Ti, _CTEI, _KRI],
  [0, 4, 0, 0]
];
var KeyListEntry$ = [
  3,
  n02,
  _KLE,
  0,
  [_KI, _KA],
  [0, 0]
];
var KeyMetadata$ = [
  3,
  n02,
  _KM,
  0,
  [_KI, _AWSAI, _A2, _CD, _E2, _D2, _KU, _KSe, _DD, _VT, _Or, _CKSI, _CHCI, _EM2, _KMe, _CMKS, _KS2, _EAnc, _SA2, _KAAe, _EAnca, _MR2, _MRC2, _PDWID, _MAa, _XKC, _CKMI],
  [0, 0, 0, 4, 2, 0, 0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 64 | 0, 64 | 0, 64 | 0, 64 | 0, 2, () => MultiRegionConfiguration$, 1, 64 | 0, () => XksKeyConfigurationType$, 0],
  1
];
var ListAliasesRequest$ = [
  3,
  n02,
  _LAR,
  0,
  [_KI, _L2, _M2],
  [0, 1, 0]
];
var ListAliasesResponse$ = [
  3,
  n02,
  _LARi,
  0,
  [_Al, _NM, _Tr],
  [() => AliasList, 0, 2]
];
var ListGrantsRequest$ = [
  3,
  n02,
  _LGR,
  0,
  [_KI, _L2, _M2, _GI2, _GP, _GSP],
  [0, 1, 0, 0, 0, 0],
  1
];
var ListGrantsResponse$ = [
  3,
  n02,
  _LGRi,
  0,
  [_G2, _NM, _Tr],
  [() => GrantList, 0, 2]
];
var ListKeyPoliciesRequest$ = [
  3,
  n02,
  _LKPR,
  0,
  [_KI, _L2, _M2],
  [0, 1, 0],
  1
];
var ListKeyPoliciesResponse$ = [
  3,
  n02,
  _LKPRi,
  0,
  [_PNo, _NM, _Tr],
  [64 | 0, 0, 2]
];
var ListKeyRotationsRequest$ = [
  3,
  n02,
  _LKRR,
  0,
  [_KI, _IKM, _L2, _M2],
  [0, 0, 1, 0],
  1
];
var ListKeyRotationsResponse$ = [
  3,
  n02,
  _LKRRi,
  0,
  [_Ro, _NM, _Tr],
  [() => RotationsList, 0, 2]
];
var ListKeysRequest$ = [
  3,
  n02,
  _LKR,
  0,
  [_L2, _M2],
  [1, 0]
];
var ListKeysResponse$ = [
  3,
  n02,
  _LKRi,
  0,
  [_K2, _NM, _Tr],
  [() => KeyList2, 0, 2]
];
var ListResourceTagsRequest$ = [
  3,
  n02,
  _LRTR,
  0,
  [_KI, _L2, _M2],
  [0, 1, 0],
  1
];
var ListResourceTagsResponse$ = [
  3,
  n02,
  _LRTRi,
  0,
  [_T2, _NM, _Tr],
  [() => TagList2, 0, 2]
];
var ListRetirableGrantsRequest$ = [
  3,
  n02,
  _LRGR,
  0,
  [_L2, _M2, _RP2, _RSP],
  [1, 0, 0, 0]
];
var MultiRegionConfiguration$ = [
  3,
  n02,
  _MRC2,
  0,
  [_MRKT, _PKr, _RK],
  [0, () => MultiRegionKey$, () => MultiRegionKeyList]
];
var MultiRegionKey$ = [
  3,
  n02,
  _MRK,
  0,
  [_A2, _Re2],
  [0, 0]
];
var PutKeyPolicyRequest$ = [
  3,
  n02,
  _PKPR,
  0,
  [_KI, _P2, _PN2, _BPLSC],
  [0, 0, 0, 2],
  2
];
var RecipientInfo$ = [
  3,
  n02,
  _RI2,
  0,
  [_KEA, _AD2],
  [0, 21]
];
var ReEncryptRequest$ = [
  3,
  n02,
  _RER,
  0,
  [_DKI, _CB2, _SEC, _SKI, _DEC, _SEA, _DEA, _GT2, _DR2, _DRM],
  [0, 21, 128 | 0, 0, 128 | 0, 0, 0, 64 | 0, 2, 64 | 0],
  1
];
var ReEncryptResponse$ = [
  3,
  n02,
  _RERe,
  0,
  [_CB2, _SKI, _KI, _SEA, _DEA, _SKMI, _DKMI],
  [21, 0, 0, 0, 0, 0, 0]
];
var ReplicateKeyRequest$ = [
  3,
  n02,
  _RKR,
  0,
  [_KI, _RR, _P2, _BPLSC, _D2, _T2],
  [0, 0, 0, 2, 0, () => TagList2],
  2
];
var ReplicateKeyResponse$ = [
  3,
  n02,
  _RKRe,
  0,
  [_RKM, _RPe, _RT],
  [() => KeyMetadata$, 0, () => TagList2]
];
var RetireGrantRequest$ = [
  3,
  n02,
  _RGR,
  0,
  [_GTr, _KI, _GI2, _DR2],
  [0, 0, 0, 2]
];
var RevokeGrantRequest$ = [
  3,
  n02,
  _RGRe,
  0,
  [_KI, _GI2, _DR2],
  [0, 0, 2],
  2
];
var RotateKeyOnDemandRequest$ = [
  3,
  n02,
  _RKODR,
  0,
  [_KI],
  [0],
  1
];
var RotateKeyOnDemandResponse$ = [
  3,
  n02,
  _RKODRo,
  0,
  [_KI],
  [0]
];
var RotationsListEntry$ = [
  3,
  n02,
  _RLE2,
  0,
  [_KI, _KMI, _KMD, _IS2, _KMS, _EM2, _VT, _RD2, _RTo],
  [0, 0, 0, 0, 0, 0, 4, 4, 0]
];
var ScheduleKeyDeletionRequest$ = [
  3,
  n02,
  _SKDR,
  0,
  [_KI, _PWID],
  [0, 1],
  1
];
var ScheduleKeyDeletionResponse$ = [
  3,
  n02,
  _SKDRc,
  0,
  [_KI, _DD, _KSe, _PWID],
  [0, 4, 0, 1]
];
var SignRequest$ = [
  3,
  n02,
  _SR2,
  0,
  [_KI, _Me, _SAi, _MT, _GT2, _DR2],
  [0, [() => PlaintextType, 0], 0, 0, 64 | 0, 2],
  3
];
var SignResponse$ = [
  3,
  n02,
  _SRi,
  0,
  [_KI, _S2, _SAi],
  [0, 21, 0]
];
var Tag$2 = [
  3,
  n02,
  _Ta2,
  0,
  [_TK2, _TV2],
  [0, 0],
  2
];
var TagResourceRequest$ = [
  3,
  n02,
  _TRR,
  0,
  [_KI, _T2],
  [0, () => TagList2],
  2
];
var UntagResourceRequest$ = [
  3,
  n02,
  _URR,
  0,
  [_KI, _TKa2],
  [0, 64 | 0],
  2
];
var UpdateAliasRequest$ = [
  3,
  n02,
  _UAR,
  0,
  [_AN2, _TKI],
  [0, 0],
  2
];
var UpdateCustomKeyStoreRequest$ = [
  3,
  n02,
  _UCKSR,
  0,
  [_CKSI, _NCKSN, _KSP, _CHCI, _XPUE, _XPUP, _XPVESN, _XPVESO, _XPAC, _XPC],
  [0, 0, [() => KeyStorePasswordType, 0], 0, 0, 0, 0, 0, [() => XksProxyAuthenticationCredentialType$, 0], 0],
  1
];
var UpdateCustomKeyStoreResponse$ = [
  3,
  n02,
  _UCKSRp,
  0,
  [],
  []
];
var UpdateKeyDescriptionRequest$ = [
  3,
  n02,
  _UKDR,
  0,
  [_KI, _D2],
  [0, 0],
  2
];
var UpdatePrimaryRegionRequest$ = [
  3,
  n02,
  _UPRR,
  0,
  [_KI, _PR2],
  [0, 0],
  2
];
var VerifyMacRequest$ = [
  3,
  n02,
  _VMR,
  0,
  [_Me, _KI, _MA, _Ma, _GT2, _DR2],
  [[() => PlaintextType, 0], 0, 0, 21, 64 | 0, 2],
  4
];
var VerifyMacResponse$ = [
  3,
  n02,
  _VMRe,
  0,
  [_KI, _MV, _MA],
  [0, 2, 0]
];
var VerifyRequest$ = [
  3,
  n02,
  _VR,
  0,
  [_KI, _Me, _S2, _SAi, _MT, _GT2, _DR2],
  [0, [() => PlaintextType, 0], 21, 0, 0, 64 | 0, 2],
  4
];
var VerifyResponse$ = [
  3,
  n02,
  _VRe,
  0,
  [_KI, _SV2, _SAi],
  [0, 2, 0]
];
var XksKeyConfigurationType$ = [
  3,
  n02,
  _XKCT,
  0,
  [_I2],
  [0]
];
var XksProxyAuthenticationCredentialType$ = [
  3,
  n02,
  _XPACT,
  0,
  [_AKI, _RSAK],
  [[() => XksProxyAuthenticationAccessKeyIdType, 0], [() => XksProxyAuthenticationRawSecretAccessKeyType, 0]],
  2
];
var XksProxyConfigurationType$ = [
  3,
  n02,
  _XPCT,
  0,
  [_Co2, _AKI, _UE2, _UP, _VESN, _VESO],
  [0, [() => XksProxyAuthenticationAccessKeyIdType, 0], 0, 0, 0, 0]
];
var __Unit2 = "unit";
var AliasList = [
  1,
  n02,
  _AL,
  0,
  () => AliasListEntry$
];
var CustomKeyStoresList = [
  1,
  n02,
  _CKSL,
  0,
  [
    () => CustomKeyStoresListEntry$,
    0
  ]
];
var DryRunModifierList = 64 | 0;
var EncapsulationAlgorithmSpecList = 64 | 0;
var EncryptionAlgorithmSpecList = 64 | 0;
var GrantList = [
  1,
  n02,
  _GL,
  0,
  () => GrantListEntry$
];
var GrantOperationList = 64 | 0;
var GrantTokenList = 64 | 0;
var KeyAgreementAlgorithmSpecList = 64 | 0;
var KeyList2 = [
  1,
  n02,
  _KL2,
  0,
  () => KeyListEntry$
];
var MacAlgorithmSpecList = 64 | 0;
var MultiRegionKeyList = [
  1,
  n02,
  _MRKL,
  0,
  () => MultiRegionKey$
];
var PolicyNameList = 64 | 0;
var RotationsList = [
  1,
  n02,
  _RL2,
  0,
  () => RotationsListEntry$
];
var SigningAlgorithmSpecList = 64 | 0;
var TagKeyList2 = 64 | 0;
var TagList2 = [
  1,
  n02,
  _TL2,
  0,
  () => Tag$2
];
var EncryptionContextType = 128 | 0;
var CancelKeyDeletion$ = [
  9,
  n02,
  _CKD,
  0,
  () => CancelKeyDeletionRequest$,
  () => CancelKeyDeletionResponse$
];
var ConnectCustomKeyStore$ = [
  9,
  n02,
  _CCKS,
  0,
  () => ConnectCustomKeyStoreRequest$,
  () => ConnectCustomKeyStoreResponse$
];
var CreateAlias$ = [
  9,
  n02,
  _CA,
  0,
  () => CreateAliasRequest$,
  () => __Unit2
];
var CreateCustomKeyStore$ = [
  9,
  n02,
  _CCKSr,
  0,
  () => CreateCustomKeyStoreRequest$,
  () => CreateCustomKeyStoreResponse$
];
var CreateGrant$ = [
  9,
  n02,
  _CG,
  0,
  () => CreateGrantRequest$,
  () => CreateGrantResponse$
];
var CreateKey$ = [
  9,
  n02,
  _CK,
  0,
  () => CreateKeyRequest$,
  () => CreateKeyResponse$
];
var Decapsulate$ = [
  9,
  n02,
  _De2,
  0,
  () => DecapsulateRequest$,
  () => DecapsulateResponse$
];
var Decrypt$ = [
  9,
  n02,
  _Dec,
  0,
  () => DecryptRequest$,
  () => DecryptResponse$
];
var DeleteAlias$ = [
  9,
  n02,
  _DA,
  0,
  () => DeleteAliasRequest$,
  () => __Unit2
];
var DeleteCustomKeyStore$ = [
  9,
  n02,
  _DCKS,
  0,
  () => DeleteCustomKeyStoreRequest$,
  () => DeleteCustomKeyStoreResponse$
];
var DeleteImportedKeyMaterial$ = [
  9,
  n02,
  _DIKM,
  0,
  () => DeleteImportedKeyMaterialRequest$,
  () => DeleteImportedKeyMaterialResponse$
];
var DeriveSharedSecret$ = [
  9,
  n02,
  _DSS,
  0,
  () => DeriveSharedSecretRequest$,
  () => DeriveSharedSecretResponse$
];
var DescribeCustomKeyStores$ = [
  9,
  n02,
  _DCKSe,
  0,
  () => DescribeCustomKeyStoresRequest$,
  () => DescribeCustomKeyStoresResponse$
];
var DescribeKey$ = [
  9,
  n02,
  _DK,
  0,
  () => DescribeKeyRequest$,
  () => DescribeKeyResponse$
];
var DisableKey$ = [
  9,
  n02,
  _DKi,
  0,
  () => DisableKeyRequest$,
  () => __Unit2
];
var DisableKeyRotation$ = [
  9,
  n02,
  _DKRis,
  0,
  () => DisableKeyRotationRequest$,
  () => __Unit2
];
var DisconnectCustomKeyStore$ = [
  9,
  n02,
  _DCKSi,
  0,
  () => DisconnectCustomKeyStoreRequest$,
  () => DisconnectCustomKeyStoreResponse$
];
var EnableKey$ = [
  9,
  n02,
  _EK,
  0,
  () => EnableKeyRequest$,
  () => __Unit2
];
var EnableKeyRotation$ = [
  9,
  n02,
  _EKRn,
  0,
  () => EnableKeyRotationRequest$,
  () => __Unit2
];
var Encapsulate$ = [
  9,
  n02,
  _En2,
  0,
  () => EncapsulateRequest$,
  () => EncapsulateResponse$
];
var Encrypt$ = [
  9,
  n02,
  _Enc,
  0,
  () => EncryptRequest$,
  () => EncryptResponse$
];
var GenerateDataKey$ = [
  9,
  n02,
  _GDK,
  0,
  () => GenerateDataKeyRequest$,
  () => GenerateDataKeyResponse$
];
var GenerateDataKeyPair$ = [
  9,
  n02,
  _GDKP,
  0,
  () => GenerateDataKeyPairRequest$,
  () => GenerateDataKeyPairResponse$
];
var GenerateDataKeyPairWithoutPlaintext$ = [
  9,
  n02,
  _GDKPWP,
  0,
  () => GenerateDataKeyPairWithoutPlaintextRequest$,
  () => GenerateDataKeyPairWithoutPlaintextResponse$
];
var GenerateDataKeyWithoutPlaintext$ = [
  9,
  n02,
  _GDKWP,
  0,
  () => GenerateDataKeyWithoutPlaintextRequest$,
  () => GenerateDataKeyWithoutPlaintextResponse$
];
var GenerateMac$ = [
  9,
  n02,
  _GM,
  0,
  () => GenerateMacRequest$,
  () => GenerateMacResponse$
];
var GenerateRandom$ = [
  9,
  n02,
  _GR,
  0,
  () => GenerateRandomRequest$,
  () => GenerateRandomResponse$
];
var GetKeyLastUsage$ = [
  9,
  n02,
  _GKLU,
  0,
  () => GetKeyLastUsageRequest$,
  () => GetKeyLastUsageResponse$
];
var GetKeyPolicy$ = [
  9,
  n02,
  _GKP,
  0,
  () => GetKeyPolicyRequest$,
  () => GetKeyPolicyResponse$
];
var GetKeyRotationStatus$ = [
  9,
  n02,
  _GKRS,
  0,
  () => GetKeyRotationStatusRequest$,
  () => GetKeyRotationStatusResponse$
];
var GetParametersForImport$ = [
  9,
  n02,
  _GPFI,
  0,
  () => GetParametersForImportRequest$,
  () => GetParametersForImportResponse$
];
var GetPublicKey$ = [
  9,
  n02,
  _GPK,
  0,
  () => GetPublicKeyRequest$,
  () => GetPublicKeyResponse$
];
var ImportKeyMaterial$ = [
  9,
  n02,
  _IKMm,
  0,
  () => ImportKeyMaterialRequest$,
  () => ImportKeyMaterialResponse$
];
var ListAliases$ = [
  9,
  n02,
  _LA,
  0,
  () => ListAliasesRequest$,
  () => ListAliasesResponse$
];
var ListGrants$ = [
  9,
  n02,
  _LG,
  0,
  () => ListGrantsRequest$,
  () => ListGrantsResponse$
];
var ListKeyPolicies$ = [
  9,
  n02,
  _LKP,
  0,
  () => ListKeyPoliciesRequest$,
  () => ListKeyPoliciesResponse$
];
var ListKeyRotations$ = [
  9,
  n02,
  _LKRis,
  0,
  () => ListKeyRotationsRequest$,
  () => ListKeyRotationsResponse$
];
var ListKeys$ = [
  9,
  n02,
  _LK,
  0,
  () => ListKeysRequest$,
  () => ListKeysResponse$
];
var ListResourceTags$ = [
  9,
  n02,
  _LRT,
  0,
  () => ListResourceTagsRequest$,
  () => ListResourceTagsResponse$
];
var ListRetirableGrants$ = [
  9,
  n02,
  _LRG,
  0,
  () => ListRetirableGrantsRequest$,
  () => ListGrantsResponse$
];
var PutKeyPolicy$ = [
  9,
  n02,
  _PKPu,
  0,
  () => PutKeyPolicyRequest$,
  () => __Unit2
];
var ReEncrypt$ = [
  9,
  n02,
  _RE,
  0,
  () => ReEncryptRequest$,
  () => ReEncryptResponse$
];
var ReplicateKey$ = [
  9,
  n02,
  _RKe,
  0,
  () => ReplicateKeyRequest$,
  () => ReplicateKeyResponse$
];
var RetireGrant$ = [
  9,
  n02,
  _RG2,
  0,
  () => RetireGrantRequest$,
  () => __Unit2
];
var RevokeGrant$ = [
  9,
  n02,
  _RGe,
  0,
  () => RevokeGrantRequest$,
  () => __Unit2
];
var RotateKeyOnDemand$ = [
  9,
  n02,
  _RKOD,
  0,
  () => RotateKeyOnDemandRequest$,
  () => RotateKeyOnDemandResponse$
];
var ScheduleKeyDeletion$ = [
  9,
  n02,
  _SKD,
  0,
  () => ScheduleKeyDeletionRequest$,
  () => ScheduleKeyDeletionResponse$
];
var Sign$ = [
  9,
  n02,
  _Si,
  0,
  () => SignRequest$,
  () => SignResponse$
];
var TagResource$2 = [
  9,
  n02,
  _TR2,
  0,
  () => TagResourceRequest$,
  () => __Unit2
];
var UntagResource$2 = [
  9,
  n02,
  _UR2,
  0,
  () => UntagResourceRequest$,
  () => __Unit2
];
var UpdateAlias$ = [
  9,
  n02,
  _UA,
  0,
  () => UpdateAliasRequest$,
  () => __Unit2
];
var UpdateCustomKeyStore$ = [
  9,
  n02,
  _UCKS,
  0,
  () => UpdateCustomKeyStoreRequest$,
  () => UpdateCustomKeyStoreResponse$
];
var UpdateKeyDescription$ = [
  9,
  n02,
  _UKD,
  0,
  () => UpdateKeyDescriptionRequest$,
  () => __Unit2
];
var UpdatePrimaryRegion$ = [
  9,
  n02,
  _UPR,
  0,
  () => UpdatePrimaryRegionRequest$,
  () => __Unit2
];
var Verify$ = [
  9,
  n02,
  _V2,
  0,
  () => VerifyRequest$,
  () => VerifyResponse$
];
var VerifyMac$ = [
  9,
  n02,
  _VM,
  0,
  () => VerifyMacRequest$,
  () => VerifyMacResponse$
];

// node_modules/@aws-sdk/client-kms/dist-es/runtimeConfig.shared.js
var getRuntimeConfig3 = (config) => {
  return {
    apiVersion: "2014-11-01",
    base64Decoder: config?.base64Decoder ?? fromBase64,
    base64Encoder: config?.base64Encoder ?? toBase64,
    disableHostPrefix: config?.disableHostPrefix ?? false,
    endpointProvider: config?.endpointProvider ?? defaultEndpointResolver2,
    extensions: config?.extensions ?? [],
    httpAuthSchemeProvider: config?.httpAuthSchemeProvider ?? defaultKMSHttpAuthSchemeProvider,
    httpAuthSchemes: config?.httpAuthSchemes ?? [
      {
        schemeId: "aws.auth#sigv4",
        identityProvider: (ipc) => ipc.getIdentityProvider("aws.auth#sigv4"),
        signer: new AwsSdkSigV4Signer()
      }
    ],
    logger: config?.logger ?? new NoOpLogger(),
    protocol: config?.protocol ?? AwsJson1_1Protocol,
    protocolSettings: config?.protocolSettings ?? {
      defaultNamespace: "com.amazonaws.kms",
      errorTypeRegistries: errorTypeRegistries2,
      xmlNamespace: "https://trent.amazonaws.com/doc/2014-11-01/",
      version: "2014-11-01",
      serviceTarget: "TrentService"
    },
    serviceId: config?.serviceId ?? "KMS",
    sha256: config?.sha256 ?? Sha256Node,
    urlParser: config?.urlParser ?? parseUrl,
    utf8Decoder: config?.utf8Decoder ?? fromUtf8,
    utf8Encoder: config?.utf8Encoder ?? toUtf8
  };
};

// node_modules/@aws-sdk/client-kms/dist-es/runtimeConfig.js
var getRuntimeConfig4 = (config) => {
  emitWarningIfUnsupportedVersion(process.version);
  const defaultsMode = resolveDefaultsModeConfig(config);
  const defaultConfigProvider = () => defaultsMode().then(loadConfigsForDefaultMode);
  const clientSharedValues = getRuntimeConfig3(config);
  emitWarningIfUnsupportedVersion2(process.version);
  const loaderConfig = {
    profile: config?.profile,
    logger: clientSharedValues.logger
  };
  return {
    ...clientSharedValues,
    ...config,
    runtime: "node",
    defaultsMode,
    authSchemePreference: config?.authSchemePreference ?? loadConfig(NODE_AUTH_SCHEME_PREFERENCE_OPTIONS, loaderConfig),
    bodyLengthChecker: config?.bodyLengthChecker ?? calculateBodyLength,
    credentialDefaultProvider: config?.credentialDefaultProvider ?? defaultProvider,
    defaultSocketTimeout: getDefaultSocketTimeout(config?.requestHandler, 3e5),
    defaultUserAgentProvider: config?.defaultUserAgentProvider ?? createDefaultUserAgentProvider({ serviceId: clientSharedValues.serviceId, clientVersion: package_default2.version }),
    maxAttempts: config?.maxAttempts ?? loadConfig(NODE_MAX_ATTEMPT_CONFIG_OPTIONS, config),
    region: config?.region ?? loadConfig(NODE_REGION_CONFIG_OPTIONS, { ...NODE_REGION_CONFIG_FILE_OPTIONS, ...loaderConfig }),
    requestHandler: NodeHttpHandler.create(config?.requestHandler ?? defaultConfigProvider),
    retryMode: config?.retryMode ?? loadConfig({
      ...NODE_RETRY_MODE_CONFIG_OPTIONS,
      default: async () => (await defaultConfigProvider()).retryMode || DEFAULT_RETRY_MODE
    }, config),
    streamCollector: config?.streamCollector ?? streamCollector,
    useDualstackEndpoint: config?.useDualstackEndpoint ?? loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS, loaderConfig),
    useFipsEndpoint: config?.useFipsEndpoint ?? loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, loaderConfig),
    userAgentAppId: config?.userAgentAppId ?? loadConfig(NODE_APP_ID_CONFIG_OPTIONS, loaderConfig)
  };
};

// node_modules/@aws-sdk/client-kms/dist-es/auth/httpAuthExtensionConfiguration.js
var getHttpAuthExtensionConfiguration2 = (runtimeConfig) => {
  const _httpAuthSchemes = runtimeConfig.httpAuthSchemes;
  let _httpAuthSchemeProvider = runtimeConfig.httpAuthSchemeProvider;
  let _credentials = runtimeConfig.credentials;
  return {
    setHttpAuthScheme(httpAuthScheme) {
      const index = _httpAuthSchemes.findIndex((scheme) => scheme.schemeId === httpAuthScheme.schemeId);
      if (index === -1) {
        _httpAuthSchemes.push(httpAuthScheme);
      } else {
        _httpAuthSchemes.splice(index, 1, httpAuthScheme);
      }
    },
    httpAuthSchemes() {
      return _httpAuthSchemes;
    },
    setHttpAuthSchemeProvider(httpAuthSchemeProvider) {
      _httpAuthSchemeProvider = httpAuthSchemeProvider;
    },
    httpAuthSchemeProvider() {
      return _httpAuthSchemeProvider;
    },
    setCredentials(credentials) {
      _credentials = credentials;
    },
    credentials() {
      return _credentials;
    }
  };
};
var resolveHttpAuthRuntimeConfig2 = (config) => {
  return {
    httpAuthSchemes: config.httpAuthSchemes(),
    httpAuthSchemeProvider: config.httpAuthSchemeProvider(),
    credentials: config.credentials()
  };
};

// node_modules/@aws-sdk/client-kms/dist-es/runtimeExtensions.js
var resolveRuntimeExtensions2 = (runtimeConfig, extensions) => {
  const extensionConfiguration = Object.assign(getAwsRegionExtensionConfiguration(runtimeConfig), getDefaultExtensionConfiguration(runtimeConfig), getHttpHandlerExtensionConfiguration(runtimeConfig), getHttpAuthExtensionConfiguration2(runtimeConfig));
  extensions.forEach((extension) => extension.configure(extensionConfiguration));
  return Object.assign(runtimeConfig, resolveAwsRegionExtensionConfiguration(extensionConfiguration), resolveDefaultRuntimeConfig2(extensionConfiguration), resolveHttpHandlerRuntimeConfig(extensionConfiguration), resolveHttpAuthRuntimeConfig2(extensionConfiguration));
};

// node_modules/@aws-sdk/client-kms/dist-es/KMSClient.js
var KMSClient = class extends Client {
  config;
  constructor(...[configuration]) {
    const _config_0 = getRuntimeConfig4(configuration || {});
    super(_config_0);
    this.initConfig = _config_0;
    const _config_1 = resolveClientEndpointParameters2(_config_0);
    const _config_2 = resolveUserAgentConfig(_config_1);
    const _config_3 = resolveRetryConfig(_config_2);
    const _config_4 = resolveRegionConfig(_config_3);
    const _config_5 = resolveHostHeaderConfig(_config_4);
    const _config_6 = resolveEndpointConfig(_config_5);
    const _config_7 = resolveHttpAuthSchemeConfig2(_config_6);
    const _config_8 = resolveRuntimeExtensions2(_config_7, configuration?.extensions || []);
    this.config = _config_8;
    this.middlewareStack.use(getSchemaSerdePlugin(this.config));
    this.middlewareStack.use(getUserAgentPlugin(this.config));
    this.middlewareStack.use(getRetryPlugin(this.config));
    this.middlewareStack.use(getContentLengthPlugin(this.config));
    this.middlewareStack.use(getHostHeaderPlugin(this.config));
    this.middlewareStack.use(getLoggerPlugin(this.config));
    this.middlewareStack.use(getRecursionDetectionPlugin(this.config));
    this.middlewareStack.use(getHttpAuthSchemeEndpointRuleSetPlugin(this.config, {
      httpAuthSchemeParametersProvider: defaultKMSHttpAuthSchemeParametersProvider,
      identityProviderConfigProvider: async (config) => new DefaultIdentityProviderConfig({
        "aws.auth#sigv4": config.credentials
      })
    }));
    this.middlewareStack.use(getHttpSigningPlugin(this.config));
  }
  destroy() {
    super.destroy();
  }
};

// node_modules/@aws-sdk/client-kms/dist-es/commandBuilder.js
var command2 = makeBuilder(commonParams2, "TrentService", "KMSClient", getEndpointPlugin);
var _ep02 = {};
var _mw02 = (Command2, cs, config, o2) => [];

// node_modules/@aws-sdk/client-kms/dist-es/commands/CancelKeyDeletionCommand.js
var CancelKeyDeletionCommand = class extends command2(_ep02, _mw02, "CancelKeyDeletion", CancelKeyDeletion$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ConnectCustomKeyStoreCommand.js
var ConnectCustomKeyStoreCommand = class extends command2(_ep02, _mw02, "ConnectCustomKeyStore", ConnectCustomKeyStore$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/CreateAliasCommand.js
var CreateAliasCommand = class extends command2(_ep02, _mw02, "CreateAlias", CreateAlias$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/CreateCustomKeyStoreCommand.js
var CreateCustomKeyStoreCommand = class extends command2(_ep02, _mw02, "CreateCustomKeyStore", CreateCustomKeyStore$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/CreateGrantCommand.js
var CreateGrantCommand = class extends command2(_ep02, _mw02, "CreateGrant", CreateGrant$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/CreateKeyCommand.js
var CreateKeyCommand = class extends command2(_ep02, _mw02, "CreateKey", CreateKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DecapsulateCommand.js
var DecapsulateCommand = class extends command2(_ep02, _mw02, "Decapsulate", Decapsulate$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DecryptCommand.js
var DecryptCommand = class extends command2(_ep02, _mw02, "Decrypt", Decrypt$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DeleteAliasCommand.js
var DeleteAliasCommand = class extends command2(_ep02, _mw02, "DeleteAlias", DeleteAlias$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DeleteCustomKeyStoreCommand.js
var DeleteCustomKeyStoreCommand = class extends command2(_ep02, _mw02, "DeleteCustomKeyStore", DeleteCustomKeyStore$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DeleteImportedKeyMaterialCommand.js
var DeleteImportedKeyMaterialCommand = class extends command2(_ep02, _mw02, "DeleteImportedKeyMaterial", DeleteImportedKeyMaterial$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DeriveSharedSecretCommand.js
var DeriveSharedSecretCommand = class extends command2(_ep02, _mw02, "DeriveSharedSecret", DeriveSharedSecret$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DescribeCustomKeyStoresCommand.js
var DescribeCustomKeyStoresCommand = class extends command2(_ep02, _mw02, "DescribeCustomKeyStores", DescribeCustomKeyStores$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DescribeKeyCommand.js
var DescribeKeyCommand = class extends command2(_ep02, _mw02, "DescribeKey", DescribeKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DisableKeyCommand.js
var DisableKeyCommand = class extends command2(_ep02, _mw02, "DisableKey", DisableKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DisableKeyRotationCommand.js
var DisableKeyRotationCommand = class extends command2(_ep02, _mw02, "DisableKeyRotation", DisableKeyRotation$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/DisconnectCustomKeyStoreCommand.js
var DisconnectCustomKeyStoreCommand = class extends command2(_ep02, _mw02, "DisconnectCustomKeyStore", DisconnectCustomKeyStore$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/EnableKeyCommand.js
var EnableKeyCommand = class extends command2(_ep02, _mw02, "EnableKey", EnableKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/EnableKeyRotationCommand.js
var EnableKeyRotationCommand = class extends command2(_ep02, _mw02, "EnableKeyRotation", EnableKeyRotation$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/EncapsulateCommand.js
var EncapsulateCommand = class extends command2(_ep02, _mw02, "Encapsulate", Encapsulate$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/EncryptCommand.js
var EncryptCommand = class extends command2(_ep02, _mw02, "Encrypt", Encrypt$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GenerateDataKeyCommand.js
var GenerateDataKeyCommand = class extends command2(_ep02, _mw02, "GenerateDataKey", GenerateDataKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GenerateDataKeyPairCommand.js
var GenerateDataKeyPairCommand = class extends command2(_ep02, _mw02, "GenerateDataKeyPair", GenerateDataKeyPair$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GenerateDataKeyPairWithoutPlaintextCommand.js
var GenerateDataKeyPairWithoutPlaintextCommand = class extends command2(_ep02, _mw02, "GenerateDataKeyPairWithoutPlaintext", GenerateDataKeyPairWithoutPlaintext$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GenerateDataKeyWithoutPlaintextCommand.js
var GenerateDataKeyWithoutPlaintextCommand = class extends command2(_ep02, _mw02, "GenerateDataKeyWithoutPlaintext", GenerateDataKeyWithoutPlaintext$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GenerateMacCommand.js
var GenerateMacCommand = class extends command2(_ep02, _mw02, "GenerateMac", GenerateMac$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GenerateRandomCommand.js
var GenerateRandomCommand = class extends command2(_ep02, _mw02, "GenerateRandom", GenerateRandom$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GetKeyLastUsageCommand.js
var GetKeyLastUsageCommand = class extends command2(_ep02, _mw02, "GetKeyLastUsage", GetKeyLastUsage$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GetKeyPolicyCommand.js
var GetKeyPolicyCommand = class extends command2(_ep02, _mw02, "GetKeyPolicy", GetKeyPolicy$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GetKeyRotationStatusCommand.js
var GetKeyRotationStatusCommand = class extends command2(_ep02, _mw02, "GetKeyRotationStatus", GetKeyRotationStatus$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GetParametersForImportCommand.js
var GetParametersForImportCommand = class extends command2(_ep02, _mw02, "GetParametersForImport", GetParametersForImport$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/GetPublicKeyCommand.js
var GetPublicKeyCommand = class extends command2(_ep02, _mw02, "GetPublicKey", GetPublicKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ImportKeyMaterialCommand.js
var ImportKeyMaterialCommand = class extends command2(_ep02, _mw02, "ImportKeyMaterial", ImportKeyMaterial$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListAliasesCommand.js
var ListAliasesCommand = class extends command2(_ep02, _mw02, "ListAliases", ListAliases$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListGrantsCommand.js
var ListGrantsCommand = class extends command2(_ep02, _mw02, "ListGrants", ListGrants$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListKeyPoliciesCommand.js
var ListKeyPoliciesCommand = class extends command2(_ep02, _mw02, "ListKeyPolicies", ListKeyPolicies$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListKeyRotationsCommand.js
var ListKeyRotationsCommand = class extends command2(_ep02, _mw02, "ListKeyRotations", ListKeyRotations$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListKeysCommand.js
var ListKeysCommand = class extends command2(_ep02, _mw02, "ListKeys", ListKeys$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListResourceTagsCommand.js
var ListResourceTagsCommand = class extends command2(_ep02, _mw02, "ListResourceTags", ListResourceTags$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ListRetirableGrantsCommand.js
var ListRetirableGrantsCommand = class extends command2(_ep02, _mw02, "ListRetirableGrants", ListRetirableGrants$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/PutKeyPolicyCommand.js
var PutKeyPolicyCommand = class extends command2(_ep02, _mw02, "PutKeyPolicy", PutKeyPolicy$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ReEncryptCommand.js
var ReEncryptCommand = class extends command2(_ep02, _mw02, "ReEncrypt", ReEncrypt$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ReplicateKeyCommand.js
var ReplicateKeyCommand = class extends command2(_ep02, _mw02, "ReplicateKey", ReplicateKey$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/RetireGrantCommand.js
var RetireGrantCommand = class extends command2(_ep02, _mw02, "RetireGrant", RetireGrant$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/RevokeGrantCommand.js
var RevokeGrantCommand = class extends command2(_ep02, _mw02, "RevokeGrant", RevokeGrant$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/RotateKeyOnDemandCommand.js
var RotateKeyOnDemandCommand = class extends command2(_ep02, _mw02, "RotateKeyOnDemand", RotateKeyOnDemand$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/ScheduleKeyDeletionCommand.js
var ScheduleKeyDeletionCommand = class extends command2(_ep02, _mw02, "ScheduleKeyDeletion", ScheduleKeyDeletion$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/SignCommand.js
var SignCommand = class extends command2(_ep02, _mw02, "Sign", Sign$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/TagResourceCommand.js
var TagResourceCommand2 = class extends command2(_ep02, _mw02, "TagResource", TagResource$2) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/UntagResourceCommand.js
var UntagResourceCommand2 = class extends command2(_ep02, _mw02, "UntagResource", UntagResource$2) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/UpdateAliasCommand.js
var UpdateAliasCommand = class extends command2(_ep02, _mw02, "UpdateAlias", UpdateAlias$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/UpdateCustomKeyStoreCommand.js
var UpdateCustomKeyStoreCommand = class extends command2(_ep02, _mw02, "UpdateCustomKeyStore", UpdateCustomKeyStore$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/UpdateKeyDescriptionCommand.js
var UpdateKeyDescriptionCommand = class extends command2(_ep02, _mw02, "UpdateKeyDescription", UpdateKeyDescription$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/UpdatePrimaryRegionCommand.js
var UpdatePrimaryRegionCommand = class extends command2(_ep02, _mw02, "UpdatePrimaryRegion", UpdatePrimaryRegion$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/VerifyCommand.js
var VerifyCommand = class extends command2(_ep02, _mw02, "Verify", Verify$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/commands/VerifyMacCommand.js
var VerifyMacCommand = class extends command2(_ep02, _mw02, "VerifyMac", VerifyMac$) {
};

// node_modules/@aws-sdk/client-kms/dist-es/pagination/DescribeCustomKeyStoresPaginator.js
var paginateDescribeCustomKeyStores = createPaginator(KMSClient, DescribeCustomKeyStoresCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListAliasesPaginator.js
var paginateListAliases = createPaginator(KMSClient, ListAliasesCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListGrantsPaginator.js
var paginateListGrants = createPaginator(KMSClient, ListGrantsCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListKeyPoliciesPaginator.js
var paginateListKeyPolicies = createPaginator(KMSClient, ListKeyPoliciesCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListKeyRotationsPaginator.js
var paginateListKeyRotations = createPaginator(KMSClient, ListKeyRotationsCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListKeysPaginator.js
var paginateListKeys = createPaginator(KMSClient, ListKeysCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListResourceTagsPaginator.js
var paginateListResourceTags = createPaginator(KMSClient, ListResourceTagsCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/pagination/ListRetirableGrantsPaginator.js
var paginateListRetirableGrants = createPaginator(KMSClient, ListRetirableGrantsCommand, "Marker", "NextMarker", "Limit");

// node_modules/@aws-sdk/client-kms/dist-es/KMS.js
var commands2 = {
  CancelKeyDeletionCommand,
  ConnectCustomKeyStoreCommand,
  CreateAliasCommand,
  CreateCustomKeyStoreCommand,
  CreateGrantCommand,
  CreateKeyCommand,
  DecapsulateCommand,
  DecryptCommand,
  DeleteAliasCommand,
  DeleteCustomKeyStoreCommand,
  DeleteImportedKeyMaterialCommand,
  DeriveSharedSecretCommand,
  DescribeCustomKeyStoresCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  DisableKeyRotationCommand,
  DisconnectCustomKeyStoreCommand,
  EnableKeyCommand,
  EnableKeyRotationCommand,
  EncapsulateCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateDataKeyPairCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  GenerateMacCommand,
  GenerateRandomCommand,
  GetKeyLastUsageCommand,
  GetKeyPolicyCommand,
  GetKeyRotationStatusCommand,
  GetParametersForImportCommand,
  GetPublicKeyCommand,
  ImportKeyMaterialCommand,
  ListAliasesCommand,
  ListGrantsCommand,
  ListKeyPoliciesCommand,
  ListKeyRotationsCommand,
  ListKeysCommand,
  ListResourceTagsCommand,
  ListRetirableGrantsCommand,
  PutKeyPolicyCommand,
  ReEncryptCommand,
  ReplicateKeyCommand,
  RetireGrantCommand,
  RevokeGrantCommand,
  RotateKeyOnDemandCommand,
  ScheduleKeyDeletionCommand,
  SignCommand,
  TagResourceCommand: TagResourceCommand2,
  UntagResourceCommand: UntagResourceCommand2,
  UpdateAliasCommand,
  UpdateCustomKeyStoreCommand,
  UpdateKeyDescriptionCommand,
  UpdatePrimaryRegionCommand,
  VerifyCommand,
  VerifyMacCommand
};
var paginators2 = {
  paginateDescribeCustomKeyStores,
  paginateListAliases,
  paginateListGrants,
  paginateListKeyPolicies,
  paginateListKeyRotations,
  paginateListKeys,
  paginateListResourceTags,
  paginateListRetirableGrants
};
var KMS = class extends KMSClient {
};
createAggregatedClient(commands2, KMS, { paginators: paginators2 });

// node_modules/@aws-sdk/client-kms/dist-es/models/enums.js
var AlgorithmSpec = {
  RSAES_OAEP_SHA_1: "RSAES_OAEP_SHA_1",
  RSAES_OAEP_SHA_256: "RSAES_OAEP_SHA_256",
  RSAES_PKCS1_V1_5: "RSAES_PKCS1_V1_5",
  RSA_AES_KEY_WRAP_SHA_1: "RSA_AES_KEY_WRAP_SHA_1",
  RSA_AES_KEY_WRAP_SHA_256: "RSA_AES_KEY_WRAP_SHA_256",
  SM2PKE: "SM2PKE"
};
var ConnectionErrorCodeType = {
  CLUSTER_NOT_FOUND: "CLUSTER_NOT_FOUND",
  INSUFFICIENT_CLOUDHSM_HSMS: "INSUFFICIENT_CLOUDHSM_HSMS",
  INSUFFICIENT_FREE_ADDRESSES_IN_SUBNET: "INSUFFICIENT_FREE_ADDRESSES_IN_SUBNET",
  INTERNAL_ERROR: "INTERNAL_ERROR",
  INVALID_CREDENTIALS: "INVALID_CREDENTIALS",
  NETWORK_ERRORS: "NETWORK_ERRORS",
  SUBNET_NOT_FOUND: "SUBNET_NOT_FOUND",
  USER_LOCKED_OUT: "USER_LOCKED_OUT",
  USER_LOGGED_IN: "USER_LOGGED_IN",
  USER_NOT_FOUND: "USER_NOT_FOUND",
  XKS_PROXY_ACCESS_DENIED: "XKS_PROXY_ACCESS_DENIED",
  XKS_PROXY_INVALID_CONFIGURATION: "XKS_PROXY_INVALID_CONFIGURATION",
  XKS_PROXY_INVALID_RESPONSE: "XKS_PROXY_INVALID_RESPONSE",
  XKS_PROXY_INVALID_TLS_CONFIGURATION: "XKS_PROXY_INVALID_TLS_CONFIGURATION",
  XKS_PROXY_NOT_REACHABLE: "XKS_PROXY_NOT_REACHABLE",
  XKS_PROXY_TIMED_OUT: "XKS_PROXY_TIMED_OUT",
  XKS_VPC_ENDPOINT_SERVICE_INVALID_CONFIGURATION: "XKS_VPC_ENDPOINT_SERVICE_INVALID_CONFIGURATION",
  XKS_VPC_ENDPOINT_SERVICE_NOT_FOUND: "XKS_VPC_ENDPOINT_SERVICE_NOT_FOUND"
};
var ConnectionStateType = {
  CONNECTED: "CONNECTED",
  CONNECTING: "CONNECTING",
  DISCONNECTED: "DISCONNECTED",
  DISCONNECTING: "DISCONNECTING",
  FAILED: "FAILED"
};
var CustomKeyStoreType = {
  AWS_CLOUDHSM: "AWS_CLOUDHSM",
  EXTERNAL_KEY_STORE: "EXTERNAL_KEY_STORE"
};
var XksProxyConnectivityType = {
  PUBLIC_ENDPOINT: "PUBLIC_ENDPOINT",
  VPC_ENDPOINT_SERVICE: "VPC_ENDPOINT_SERVICE"
};
var GrantOperation = {
  CreateGrant: "CreateGrant",
  Decapsulate: "Decapsulate",
  Decrypt: "Decrypt",
  DeriveSharedSecret: "DeriveSharedSecret",
  DescribeKey: "DescribeKey",
  Encapsulate: "Encapsulate",
  Encrypt: "Encrypt",
  GenerateDataKey: "GenerateDataKey",
  GenerateDataKeyPair: "GenerateDataKeyPair",
  GenerateDataKeyPairWithoutPlaintext: "GenerateDataKeyPairWithoutPlaintext",
  GenerateDataKeyWithoutPlaintext: "GenerateDataKeyWithoutPlaintext",
  GenerateMac: "GenerateMac",
  GetPublicKey: "GetPublicKey",
  ReEncryptFrom: "ReEncryptFrom",
  ReEncryptTo: "ReEncryptTo",
  RetireGrant: "RetireGrant",
  Sign: "Sign",
  Verify: "Verify",
  VerifyMac: "VerifyMac"
};
var CustomerMasterKeySpec = {
  ECC_NIST_P256: "ECC_NIST_P256",
  ECC_NIST_P384: "ECC_NIST_P384",
  ECC_NIST_P521: "ECC_NIST_P521",
  ECC_SECG_P256K1: "ECC_SECG_P256K1",
  HMAC_224: "HMAC_224",
  HMAC_256: "HMAC_256",
  HMAC_384: "HMAC_384",
  HMAC_512: "HMAC_512",
  RSA_2048: "RSA_2048",
  RSA_3072: "RSA_3072",
  RSA_4096: "RSA_4096",
  SM2: "SM2",
  SYMMETRIC_DEFAULT: "SYMMETRIC_DEFAULT"
};
var KeySpec = {
  ECC_NIST_EDWARDS25519: "ECC_NIST_EDWARDS25519",
  ECC_NIST_P256: "ECC_NIST_P256",
  ECC_NIST_P384: "ECC_NIST_P384",
  ECC_NIST_P521: "ECC_NIST_P521",
  ECC_SECG_P256K1: "ECC_SECG_P256K1",
  HMAC_224: "HMAC_224",
  HMAC_256: "HMAC_256",
  HMAC_384: "HMAC_384",
  HMAC_512: "HMAC_512",
  ML_DSA_44: "ML_DSA_44",
  ML_DSA_65: "ML_DSA_65",
  ML_DSA_87: "ML_DSA_87",
  ML_KEM_1024: "ML_KEM_1024",
  ML_KEM_512: "ML_KEM_512",
  ML_KEM_768: "ML_KEM_768",
  RSA_2048: "RSA_2048",
  RSA_3072: "RSA_3072",
  RSA_4096: "RSA_4096",
  SM2: "SM2",
  SYMMETRIC_DEFAULT: "SYMMETRIC_DEFAULT"
};
var KeyUsageType = {
  ENCAPSULATE_DECAPSULATE: "ENCAPSULATE_DECAPSULATE",
  ENCRYPT_DECRYPT: "ENCRYPT_DECRYPT",
  GENERATE_VERIFY_MAC: "GENERATE_VERIFY_MAC",
  KEY_AGREEMENT: "KEY_AGREEMENT",
  SIGN_VERIFY: "SIGN_VERIFY"
};
var OriginType = {
  AWS_CLOUDHSM: "AWS_CLOUDHSM",
  AWS_KMS: "AWS_KMS",
  EXTERNAL: "EXTERNAL",
  EXTERNAL_KEY_STORE: "EXTERNAL_KEY_STORE"
};
var EncapsulationAlgorithmSpec = {
  ML_KEM: "ML_KEM"
};
var EncryptionAlgorithmSpec = {
  RSAES_OAEP_SHA_1: "RSAES_OAEP_SHA_1",
  RSAES_OAEP_SHA_256: "RSAES_OAEP_SHA_256",
  SM2PKE: "SM2PKE",
  SYMMETRIC_DEFAULT: "SYMMETRIC_DEFAULT"
};
var ExpirationModelType = {
  KEY_MATERIAL_DOES_NOT_EXPIRE: "KEY_MATERIAL_DOES_NOT_EXPIRE",
  KEY_MATERIAL_EXPIRES: "KEY_MATERIAL_EXPIRES"
};
var KeyAgreementAlgorithmSpec = {
  ECDH: "ECDH"
};
var KeyManagerType = {
  AWS: "AWS",
  CUSTOMER: "CUSTOMER"
};
var KeyState = {
  Creating: "Creating",
  Disabled: "Disabled",
  Enabled: "Enabled",
  PendingDeletion: "PendingDeletion",
  PendingImport: "PendingImport",
  PendingReplicaDeletion: "PendingReplicaDeletion",
  Unavailable: "Unavailable",
  Updating: "Updating"
};
var MacAlgorithmSpec = {
  HMAC_SHA_224: "HMAC_SHA_224",
  HMAC_SHA_256: "HMAC_SHA_256",
  HMAC_SHA_384: "HMAC_SHA_384",
  HMAC_SHA_512: "HMAC_SHA_512"
};
var MultiRegionKeyType = {
  PRIMARY: "PRIMARY",
  REPLICA: "REPLICA"
};
var SigningAlgorithmSpec = {
  ECDSA_SHA_256: "ECDSA_SHA_256",
  ECDSA_SHA_384: "ECDSA_SHA_384",
  ECDSA_SHA_512: "ECDSA_SHA_512",
  ED25519_PH_SHA_512: "ED25519_PH_SHA_512",
  ED25519_SHA_512: "ED25519_SHA_512",
  ML_DSA_SHAKE_256: "ML_DSA_SHAKE_256",
  RSASSA_PKCS1_V1_5_SHA_256: "RSASSA_PKCS1_V1_5_SHA_256",
  RSASSA_PKCS1_V1_5_SHA_384: "RSASSA_PKCS1_V1_5_SHA_384",
  RSASSA_PKCS1_V1_5_SHA_512: "RSASSA_PKCS1_V1_5_SHA_512",
  RSASSA_PSS_SHA_256: "RSASSA_PSS_SHA_256",
  RSASSA_PSS_SHA_384: "RSASSA_PSS_SHA_384",
  RSASSA_PSS_SHA_512: "RSASSA_PSS_SHA_512",
  SM2DSA: "SM2DSA"
};
var DataKeyPairSpec = {
  ECC_NIST_EDWARDS25519: "ECC_NIST_EDWARDS25519",
  ECC_NIST_P256: "ECC_NIST_P256",
  ECC_NIST_P384: "ECC_NIST_P384",
  ECC_NIST_P521: "ECC_NIST_P521",
  ECC_SECG_P256K1: "ECC_SECG_P256K1",
  ML_KEM_1024: "ML_KEM_1024",
  ML_KEM_512: "ML_KEM_512",
  ML_KEM_768: "ML_KEM_768",
  RSA_2048: "RSA_2048",
  RSA_3072: "RSA_3072",
  RSA_4096: "RSA_4096",
  SM2: "SM2"
};
var DataKeySpec = {
  AES_128: "AES_128",
  AES_256: "AES_256"
};
var DryRunModifierType = {
  IGNORE_CIPHERTEXT: "IGNORE_CIPHERTEXT"
};
var KeyEncryptionMechanism = {
  RSAES_OAEP_SHA_256: "RSAES_OAEP_SHA_256"
};
var KeyLastUsageTrackingOperation = {
  Decapsulate: "Decapsulate",
  Decrypt: "Decrypt",
  DeriveSharedSecret: "DeriveSharedSecret",
  Encapsulate: "Encapsulate",
  Encrypt: "Encrypt",
  GenerateDataKey: "GenerateDataKey",
  GenerateDataKeyPair: "GenerateDataKeyPair",
  GenerateDataKeyPairWithoutPlaintext: "GenerateDataKeyPairWithoutPlaintext",
  GenerateDataKeyWithoutPlaintext: "GenerateDataKeyWithoutPlaintext",
  GenerateMac: "GenerateMac",
  ReEncrypt: "ReEncrypt",
  Sign: "Sign",
  Verify: "Verify",
  VerifyMac: "VerifyMac"
};
var WrappingKeySpec = {
  RSA_2048: "RSA_2048",
  RSA_3072: "RSA_3072",
  RSA_4096: "RSA_4096",
  SM2: "SM2"
};
var ImportType = {
  EXISTING_KEY_MATERIAL: "EXISTING_KEY_MATERIAL",
  NEW_KEY_MATERIAL: "NEW_KEY_MATERIAL"
};
var ImportState = {
  IMPORTED: "IMPORTED",
  PENDING_IMPORT: "PENDING_IMPORT"
};
var IncludeKeyMaterial = {
  ALL_KEY_MATERIAL: "ALL_KEY_MATERIAL",
  ROTATIONS_ONLY: "ROTATIONS_ONLY"
};
var KeyMaterialState = {
  CURRENT: "CURRENT",
  NON_CURRENT: "NON_CURRENT",
  PENDING_MULTI_REGION_IMPORT_AND_ROTATION: "PENDING_MULTI_REGION_IMPORT_AND_ROTATION",
  PENDING_ROTATION: "PENDING_ROTATION"
};
var RotationType = {
  AUTOMATIC: "AUTOMATIC",
  ON_DEMAND: "ON_DEMAND"
};
var MessageType = {
  DIGEST: "DIGEST",
  EXTERNAL_MU: "EXTERNAL_MU",
  RAW: "RAW"
};

// shared/accounts/schema.ts
var AccountParams = { "type": "object", "properties": {} };
var defaultCountry = "US";
var Account = { "type": "object", "properties": {} };
var UpdatedAccount = { "type": "object", "properties": {} };
var AccountPatch = { "type": "object", "properties": {} };
var AccountEntry = { "type": "object", "properties": {} };
var AccountInvitation = { "type": "object", "properties": {} };

// infra/build/typebox-stub.ts
var typed = (type) => () => ({ type });
var Fields = (properties) => ({ type: "object", properties });
var [boolean, integer, list, number, text] = ["boolean", "integer", "array", "number", "string"].map(typed);
var same = (schema) => schema;

// shared/schema.ts
var object = (properties, annotations = {}) => Fields(properties, { additionalProperties: false, ...annotations });
function partial(properties) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, same(schema)]);
  return object(Object.fromEntries(entries));
}
var array = (items, rules = {}) => list(items, rules);
var string = (rules = {}) => text({ maxLength: 1e3, ...rules });
var multilineText = (rules = {}) => string({ "x-text": "multiline", ...rules });
var nameText = (rules = {}) => string({ minLength: 1, maxLength: 200, "x-text": "name", ...rules });
var enteredSecret = (rules = {}) => string({ "x-text": "verbatim", ...rules });
var sensitive = (rules = {}) => string({ ...rules, "x-redacts": "sensitive" });
var credential = (rules = {}) => string({ ...rules, "x-redacts": "credential" });
var integer2 = (rules = {}) => integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...rules });
var accountId = (annotations = {}) => same({ ...string({ examples: ["acme"], ...annotations }) });
var recordId = (annotations = {}) => integer2({ minimum: 1, examples: [214563398120449], ...annotations });
var uniqueId = (prefix, annotations = {}) => text({ maxLength: 32, examples: [`${prefix}_0634kqj0x01`], ...annotations });
var number2 = (rules = {}) => number(rules);
var decimal = ({ places, ...rules }) => number({ ...rules, "x-decimal-places": places });
var boolean2 = (annotations = {}) => boolean(annotations);
var unsafe = (schema) => same(schema);
var oneOf = (values, annotations = {}) => same({ type: "string", enum: [...values], ...annotations });
var union = (key, variants, annotations = {}) => same({ type: "object", discriminator: { propertyName: key }, oneOf: [...variants], ...annotations });
function nullable(schema) {
  const { type, enum: values, ...rules } = schema;
  if (typeof type !== "string")
    throw new Error(`nullable() needs a schema with one "type", not ${JSON.stringify(schema)}`);
  return same({
    ...rules,
    type: [type, "null"],
    ...values && { enum: [...values, null] }
  });
}
var clearable = (properties) => Object.fromEntries(
  Object.entries(properties).map(([name, schema]) => [name, nullable(schema)])
);
var openObject = (annotations = {}) => same({
  type: "object",
  additionalProperties: true,
  "x-max-bytes": 32 * 1024,
  ...annotations
});
var mapOf = (values, annotations = {}) => same({ type: "object", additionalProperties: values, ...annotations });
var dateTime = (annotations = {}) => text({
  format: "date-time",
  maxLength: 40,
  examples: ["2026-03-01T09:30:00.000Z"],
  ...annotations
});
var expiry = (description) => dateTime({
  description: `${description} A date means the end of that day in the account\u2019s time zone.`,
  examples: ["2099-01-01T00:00:00Z"],
  "x-expiry": true
});
var date = (annotations = {}) => text({ format: "date", maxLength: 10, examples: ["2026-03-01"], ...annotations });
var email = (annotations = {}) => text({ format: "email", maxLength: 254, ...annotations });
var webAddress = (rules = {}) => text({
  format: "uri",
  pattern: "^https?://",
  maxLength: 2048,
  examples: ["https://example.com/harbor-street"],
  ...rules
});
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  Account,
  AccountEntry,
  AccountInvitation,
  AccountParams,
  AccountPatch,
  UpdatedAccount,
  accountId,
  array,
  boolean,
  clearable,
  credential,
  date,
  dateTime,
  decimal,
  defaultCountry,
  dynamodb,
  email,
  enteredSecret,
  expiry,
  integer,
  kms,
  mapOf,
  multilineText,
  nameText,
  nullable,
  number,
  object,
  oneOf,
  openObject,
  optional,
  partial,
  recordId,
  sensitive,
  string,
  union,
  uniqueId,
  unsafe,
  webAddress
});
