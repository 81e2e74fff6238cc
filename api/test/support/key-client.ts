import { API_KEY_HEADER, BASE_PATH, DEVICE_ID_HEADER } from '@clearframe/contract';
import type supertest from 'supertest';
import type { TestApi } from './application.js';
import type { Visitor } from './visitor.js';

type Http = ReturnType<typeof supertest>;

export class KeyClient {
  constructor(
    private readonly http: Http,
    readonly key: string,
    private readonly deviceId?: string,
  ) {}

  static async of(api: TestApi, owner: Visitor, options?: object): Promise<KeyClient & { readonly keyId: string }> {
    const { body } = await owner.post('/plugin-keys', options).expect(201);
    return Object.assign(new KeyClient(api.http, body.key), { keyId: String(body.id) });
  }

  on(deviceId: string): KeyClient {
    return new KeyClient(this.http, this.key, deviceId);
  }

  get headers(): Record<string, string> {
    return { [API_KEY_HEADER]: this.key, ...(this.deviceId !== undefined && { [DEVICE_ID_HEADER]: this.deviceId }) };
  }

  get(path: string) {
    return this.http.get(`${BASE_PATH}${path}`).set(this.headers);
  }

  post(path: string, body?: object) {
    return this.http.post(`${BASE_PATH}${path}`).set(this.headers).send(body);
  }

  put(path: string, body?: object) {
    return this.http.put(`${BASE_PATH}${path}`).set(this.headers).send(body);
  }

  delete(path: string, body?: object) {
    return this.http.delete(`${BASE_PATH}${path}`).set(this.headers).send(body);
  }

  activate(deviceId: string) {
    return this.post('/plugin-keys/activate', { device_id: deviceId });
  }
}

export async function refusalOf(pending: PromiseLike<{ status: number; body: { error_code?: string } }>) {
  const { status, body } = await pending;
  return [status, body.error_code];
}

export const INVALID = [401, 'users.not_authorized'];
export const OTHER_DEVICE = [409, 'plugin_keys.device_mismatch'];
