import { randomUUID } from 'node:crypto';
import { BASE_PATH, type IdentityScenario, type LoginProvider } from '@clearframe/contract';
import type supertest from 'supertest';
import { picture } from './pictures.js';

type Http = ReturnType<typeof supertest>;
type Headers = Readonly<Record<string, string>>;

export interface WireTarget {
  readonly task_id: string;
  readonly status: string;
  readonly upload_url: string;
  readonly upload_headers: Headers;
  readonly resumable_url: string | null;
}

export interface Announced extends WireTarget {
  readonly bulk_upload_id: string;
}

export interface Persona {
  readonly email: string;
  readonly provider?: LoginProvider;
  readonly scenario?: IdentityScenario;
}

export const newEmail = (): string => `${randomUUID()}@example.com`;

export async function identityToken(http: Http, { provider = 'google', ...persona }: Persona): Promise<string> {
  const { body } = await http
    .post('/api/sandbox/identity/tokens')
    .send({ provider, ...persona })
    .expect(200);
  return body.id_token;
}

export function postLogin(http: Http, idToken: string, bearer?: string, preferences?: object) {
  const pendingRequest = http.post(`${BASE_PATH}/users/login`).send({ firebase_id_token: idToken, preferences });
  return bearer === undefined ? pendingRequest : pendingRequest.auth(bearer, { type: 'bearer' });
}

export class Visitor {
  constructor(
    private readonly http: Http,
    readonly token: string,
  ) {}

  static async arrive(http: Http): Promise<Visitor> {
    const { body } = await http.post(`${BASE_PATH}/users`).expect(201);
    return new Visitor(http, body.access_token);
  }

  static async login(http: Http, persona: Persona = { email: newEmail() }, guest?: Visitor): Promise<Visitor> {
    const { body } = await postLogin(http, await identityToken(http, persona), guest?.token).expect(200);
    return new Visitor(http, body.access_token);
  }

  get(path: string) {
    return this.http.get(`${BASE_PATH}${path}`).auth(this.token, { type: 'bearer' });
  }

  post(path: string, body?: object, headers: Headers = {}) {
    return this.http.post(`${BASE_PATH}${path}`).auth(this.token, { type: 'bearer' }).set(headers).send(body);
  }

  put(path: string, body?: object) {
    return this.http.put(`${BASE_PATH}${path}`).auth(this.token, { type: 'bearer' }).send(body);
  }

  delete(path: string, body?: object) {
    return this.http.delete(`${BASE_PATH}${path}`).auth(this.token, { type: 'bearer' }).send(body);
  }

  async announce(input: object = {}): Promise<Announced> {
    const { body } = await this.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg', ...input }).expect(201);
    return { bulk_upload_id: body.bulk_upload_id, ...body.task_list[0] };
  }

  async upload(input: object = {}, bytes: Buffer = picture.jpeg()): Promise<Announced> {
    const announced = await this.announce(input);
    const response = await put(announced, bytes);
    if (response.status !== 200)
      throw new Error(`the upload responded with ${response.status}: ${await response.text()}`);
    return announced;
  }

  async process(input: object = {}, bytes?: Buffer): Promise<Announced> {
    const announced = await this.upload(input, bytes);
    await this.post(`/tasks/bulk-upload/${announced.bulk_upload_id}/process`).expect(202);
    return announced;
  }

  async me() {
    const { body } = await this.get('/users/@me').expect(200);
    return body;
  }

  async task(taskId: string) {
    const { body } = await this.get(`/tasks/${taskId}`).expect(200);
    return body;
  }
}

export const put = (
  { upload_url, upload_headers }: Pick<WireTarget, 'upload_url' | 'upload_headers'>,
  bytes: Buffer,
  headers: Headers = {},
): Promise<Response> =>
  fetch(upload_url, { method: 'PUT', headers: { ...upload_headers, ...headers }, body: new Uint8Array(bytes) });
