import { STAFF_PASSWORD, type TestApi } from './application.js';
import type { Visitor } from './visitor.js';

interface ShownExperiment {
  readonly id: string;
  readonly assigned_segment_id: string | null;
  readonly is_forced: boolean;
}

/** Settings as a visitor gets them, and the routes behind the secret menu. */
export function experimentRoutes(api: () => TestApi) {
  const settingsOf = async (localStorageId: string, visitor?: Visitor) => {
    const body = { local_storage_id: localStorageId, device_type: 'desktop', language: 'en' };
    const pending = api().http.post('/api/v1/web/settings').send(body);
    return (await (visitor ? pending.auth(visitor.token, { type: 'bearer' }) : pending).expect(200)).body;
  };

  /** @param password empty: without the header */
  const staff = (method: 'post' | 'put', path: string, body: object, visitor?: Visitor, password = STAFF_PASSWORD) => {
    const pending = api()
      .http[method](`/api/v1/web/secret-menu/experiments/${path}`)
      .send({ device_type: 'desktop', language: 'en', ...body });
    if (visitor) pending.auth(visitor.token, { type: 'bearer' });
    return password === '' ? pending : pending.set('X-Secret-Menu-Password', password);
  };

  const retrieve = async (localStorageId: string, visitor?: Visitor): Promise<ShownExperiment[]> =>
    (await staff('post', 'retrieve', { local_storage_id: localStorageId }, visitor).expect(200)).body.experiments;

  const force = (localStorageId: string, id: string, segmentId: string | null, visitor?: Visitor) => {
    const body = { local_storage_id: localStorageId, modified_experiments: [{ id, segment_id: segmentId }] };
    return staff('put', 'force', body, visitor);
  };

  return { settingsOf, staff, retrieve, force };
}
