import {
  type AiPipeline,
  extensionOf,
  fromWire,
  hasResult,
  IMAGE_CONTENT_TYPES,
  type ImageContentType,
  pathOf,
  type RouteRequest,
  type RouteResult,
  type RouteSpec,
  sandboxRoutes,
  type Task,
  taskRoutes,
  toWire,
  type User,
  userRoutes,
} from '@clearframe/contract';
import { linesForRequest } from './product/logs.ts';
import { until } from './product/until.ts';

/** Derived from the extension; JPEG by default. */
const contentTypeOf = (fileName = ''): ImageContentType =>
  IMAGE_CONTENT_TYPES.find((type) => fileName.endsWith(`.${extensionOf(type)}`)) ?? 'image/jpeg';

interface WireProblem {
  readonly error_code: string;
  readonly request_id: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly problem: WireProblem;

  /** @param log lines about the request, for the message */
  constructor(status: number, problem: WireProblem, log: readonly string[]) {
    super([`${status} ${problem.error_code}`, ...log].join('\n'));
    this.status = status;
    this.problem = problem;
  }

  /** A server error says what the product logged. */
  static async of(response: Response): Promise<ApiError> {
    const problem = (await response.json()) as WireProblem;
    return new ApiError(
      response.status,
      problem,
      response.status < 500 ? [] : linesForRequest(response.url, problem.request_id),
    );
  }
}

/** The server may close a kept-alive connection while it is reused. */
const CLOSED = { connection: 'close' };

/** Typed by the contract, over HTTP. */
export class ApiClient {
  readonly token: string;
  private readonly origin: string;

  private constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
  }

  static async createGuest(origin: string): Promise<ApiClient> {
    const { accessToken } = await new ApiClient(origin, '').call(userRoutes.createGuest, {});
    return new ApiClient(origin, accessToken);
  }

  /** Logs in by the sandbox provider. The same address is the same account. */
  static async logIn(origin: string, email: string): Promise<ApiClient> {
    const anonymous = new ApiClient(origin, '');
    const { idToken } = await anonymous.call(sandboxRoutes.issueIdentityToken, { body: { provider: 'google', email } });
    const { accessToken } = await anonymous.call(userRoutes.login, { body: { firebaseIdToken: idToken } });
    return new ApiClient(origin, accessToken);
  }

  static withToken(origin: string, token: string): ApiClient {
    return new ApiClient(origin, token);
  }

  me(): Promise<User> {
    return this.call(userRoutes.getCurrentUser, {});
  }

  async call<Route extends RouteSpec>(route: Route, request: RouteRequest<Route>): Promise<RouteResult<Route>> {
    const params: Record<string, unknown> = { ...request.params };
    const path = pathOf(route).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const body = route.body && JSON.stringify(toWire(route.body, request.body));
    const response = await fetch(`${this.origin}${path}`, {
      method: route.method,
      headers: {
        ...CLOSED,
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body,
    });
    if (!response.ok) throw await ApiError.of(response);
    const json = response.status === 204 ? undefined : await response.json();
    const schema = route.responses[response.status];
    return (schema ? schema.parse(fromWire(schema, json)) : undefined) as RouteResult<Route>;
  }

  /** Calls the sandbox; see docs/sandbox-payments.md. @param path below `/api/sandbox` */
  async postSandbox<Body>(path: string, body: object): Promise<Body> {
    const response = await fetch(`${this.origin}/api/sandbox/${path}`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await ApiError.of(response);
    return (await response.json()) as Body;
  }

  /** @returns the id of the mobile account */
  async subscribeInMobileApp(email: string): Promise<string> {
    const account = await this.postSandbox<{ oracle_backend_id: string }>('mobile/subscriptions', { email });
    return account.oracle_backend_id;
  }

  /** Uploads a picture without processing it. */
  async upload(
    bytes: Buffer,
    fileName?: string,
    aiPipeline?: AiPipeline,
  ): Promise<{ bulkUploadId: string; taskId: string }> {
    const created = await this.call(taskRoutes.createBulkUpload, {
      body: { imageContentType: contentTypeOf(fileName), fileName, aiPipeline },
    });
    const [target] = created.taskList;
    if (!target) throw new Error('no task');
    const response = await fetch(target.uploadUrl, {
      method: 'PUT',
      headers: { ...CLOSED, ...target.uploadHeaders },
      body: new Uint8Array(bytes),
    });
    if (!response.ok) throw await ApiError.of(response);
    return { bulkUploadId: created.bulkUploadId, taskId: target.taskId };
  }

  /** Returns the id of the task, which is being processed. */
  async submit(bytes: Buffer, fileName?: string, aiPipeline?: AiPipeline): Promise<string> {
    const { bulkUploadId, taskId } = await this.upload(bytes, fileName, aiPipeline);
    await this.call(taskRoutes.processBulkUpload, { params: { bulkUploadId } });
    return taskId;
  }

  /** Returns the id of the completed task. */
  async enhance(bytes: Buffer, fileName?: string, aiPipeline?: AiPipeline): Promise<string> {
    const taskId = await this.submit(bytes, fileName, aiPipeline);
    await until('the picture has a result', async () => hasResult((await this.task(taskId)).status));
    return taskId;
  }

  /**
   * Uploads several pictures and starts processing them; null is a file that doesn't arrive. For plans with batches.
   * @param files by name
   */
  async submitBatch(
    files: Readonly<Record<string, Buffer | null>>,
    aiPipeline?: AiPipeline,
  ): Promise<{ bulkUploadId: string; taskIds: string[] }> {
    const { bulkUploadId, taskList } = await this.call(taskRoutes.createBulkUpload, {
      body: {
        inputTaskList: Object.keys(files).map((fileName) => ({
          imageContentType: 'image/jpeg' as const,
          fileName,
          aiPipeline,
        })),
      },
    });
    const contents = Object.values(files);
    for (const [index, { uploadUrl, uploadHeaders }] of taskList.entries()) {
      const bytes = contents[index];
      if (bytes)
        await fetch(uploadUrl, {
          method: 'PUT',
          headers: { ...CLOSED, ...uploadHeaders },
          body: new Uint8Array(bytes),
        });
    }
    await this.call(taskRoutes.processBulkUpload, { params: { bulkUploadId } });
    return { bulkUploadId, taskIds: taskList.map(({ taskId }) => taskId) };
  }

  /** Returns the ids of the completed tasks. */
  async enhanceBatch(
    files: Readonly<Record<string, Buffer>>,
    aiPipeline?: AiPipeline,
  ): Promise<{ bulkUploadId: string; taskIds: string[] }> {
    const batch = await this.submitBatch(files, aiPipeline);
    const params = { bulkUploadId: batch.bulkUploadId };
    await until('the batch has ended', async () => {
      return (await this.call(taskRoutes.getBulkUpload, { params })).status === 'completed';
    });
    return batch;
  }

  task(taskId: string): Promise<Task> {
    return this.call(taskRoutes.getTask, { params: { taskId } });
  }
}
