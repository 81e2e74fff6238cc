import { expect, it } from 'vitest';
import { ask } from '../../test/support/reprocess-requests.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { createFinishedTask } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();
const REPAIR = { repair: { model: 'base' } };
const REFUSED = { error_code: 'pipeline.not_in_plan', details: { tool: 'repair' } };

const create = (visitor: Visitor, aiPipeline?: object) =>
  visitor.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg', ai_pipeline: aiPipeline });
const save = (visitor: Visitor, aiPipeline: object) =>
  visitor.put('/users/@me/preferences/override', { preferences: { default_ai_pipeline: aiPipeline } });

/** Sets the flag `expRepair`, and waits until requests see it. @returns what the settings offer of the tool */
async function setOffered(isOn: boolean) {
  const { api } = fixture;
  await api.sql(`DELETE FROM flag_overrides`);
  if (isOn) await api.sql(`INSERT INTO flag_overrides VALUES ('expRepair', 'true', now())`);
  const device = { local_storage_id: 'device-1', device_type: 'desktop', language: 'en' };
  const { ai_pipeline_config: tools } = await until(async () => {
    const { body } = await api.http.post('/api/v1/web/settings').send(device).expect(200);
    return body.exp_repair === isOn ? body : null;
  }, 'the flag');
  return tools.find(({ tool }: { tool: string }) => tool === 'repair');
}

it('repairing damage is refused, also as preview and as default, and not offered, unless the flag is on', async () => {
  const { guest, business, worker } = fixture;
  expect(await setOffered(false)).toBeUndefined();
  expect((await create(business, REPAIR).expect(403)).body).toMatchObject(REFUSED);
  expect((await save(business, REPAIR).expect(403)).body).toMatchObject(REFUSED);
  const task = await createFinishedTask(guest, worker);
  for (const preview of [true, false]) {
    const order = { ai_pipeline: REPAIR, preview };
    expect((await ask(guest, task, order).expect(403)).body).toMatchObject(REFUSED);
  }
});

it('with the flag everyone has base, and plans v1; a default of that time is left out afterwards', async () => {
  const { guest, business } = fixture;
  expect((await setOffered(true)).models).toEqual([
    { model: 'base', required_plan: 'base' },
    { model: 'v1', required_plan: 'personal' },
  ]);
  await create(guest, REPAIR).expect(201);
  expect((await create(guest, { repair: { model: 'v1' } }).expect(403)).body).toMatchObject(REFUSED);
  await create(business, { repair: { model: 'v1', strength: 0.5 } }).expect(201);
  await save(business, REPAIR).expect(200);
  const pipelineOf = async () => {
    const { body } = await create(business).expect(201);
    return (await business.task(body.task_list[0].task_id)).ai_pipeline;
  };
  expect(await pipelineOf()).toEqual(REPAIR);
  await setOffered(false);
  expect(await pipelineOf()).toEqual({ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } });
});
