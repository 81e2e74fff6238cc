import type { Settings } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { Customer } from '../../billing/customer.js';
import type { Visitor } from '../../support/visitor.js';
import { createFinishedTask, waitForStatus } from '../../support/workers/results.js';
import { useResultsFixture } from '../../support/workers/results-fixture.js';

type RequiredPlan = Settings['aiPipelineConfig'][number]['models'][number]['requiredPlan'];
interface WireOffer {
  readonly tool: string;
  readonly models: readonly { readonly model: string; readonly required_plan: RequiredPlan }[];
}

const fixture = useResultsFixture();

/** Each model of each tool that the settings offer. */
async function readOffers(visitor: Visitor) {
  const device = { local_storage_id: 'models', device_type: 'desktop', language: 'en' };
  const { body: settings } = await visitor.post('/settings', device).expect(200);
  return (settings.ai_pipeline_config as WireOffer[]).flatMap(({ tool, models }) =>
    models.map(({ model, required_plan }) => ({ ai_pipeline: { [tool]: { model } }, required_plan })),
  );
}

it.each<[plan: RequiredPlan, included: readonly RequiredPlan[]]>([
  ['base', ['base']],
  ['personal', ['base', 'personal']],
])('on the plan %s, each model is applied if the plan has it, else as a preview only', async (plan, included) => {
  const { guest, api, worker } = fixture;
  const buyPersonal = async () => {
    const customer = await Customer.member(api);
    await customer.subscribe('personal_weekly_usd');
    return customer.visitor;
  };
  const visitor = plan === 'personal' ? await buyPersonal() : guest;
  const { bulk_upload_id, task_id } = await createFinishedTask(visitor, worker);
  const offers = await readOffers(visitor);
  expect(offers).toHaveLength(20);
  for (const { ai_pipeline, required_plan } of offers) {
    const isPreview = !included.includes(required_plan);
    const order = (preview: boolean) =>
      visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, {
        input_reprocess_list: [{ client_task_id: task_id, ai_pipeline, preview }],
      });
    if (isPreview) expect((await order(false).expect(403)).body.error_code).toBe('pipeline.not_in_plan');
    await order(isPreview).expect(202);
    await worker.end(task_id, (run) => worker.finish(run));
    const { result } = await waitForStatus(visitor, task_id, 'completed');
    expect(result.outputs[0]).toMatchObject({
      ai_pipeline,
      is_preview: isPreview,
      has_watermark: plan === 'base' || isPreview,
    });
  }
});
