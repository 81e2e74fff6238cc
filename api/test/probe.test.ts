import { afterAll, beforeAll, it } from 'vitest';
import { startApi, type TestApi } from '/work/main/api/test/support/application.js';
let api: TestApi;
beforeAll(async () => { api = await startApi(); });
afterAll(() => api.stop());
it('probe', async () => {
  const v = await api.guest();
  const r = await v.post('/tasks/bulk-upload').set('content-type','application/json').send('{');
  console.log(r.status, r.headers, r.text);
  for (const p of ['/%', '/api/v1/web/nothing', '/media/%', '/api/v1/web/tasks/%zz', '/api/docs', '/x'.padEnd(300,'a')]) {
    const a = await fetch(api.url + p);
    console.log(p.slice(0,20), a.status, a.headers.get('content-type'), (await a.text()).slice(0,200));
  }
  console.log(api.app.getHttpAdapter().getInstance().printRoutes({commonPrefix:false}));
});
