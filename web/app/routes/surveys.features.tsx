import { useActionData, useLoaderData } from '@remix-run/react';
import { FeatureRankingModal } from '../features/help/survey/feature-ranking';
import { answerSurvey, loadSurvey } from '../features/help/survey/survey.server';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['surveys'] };
export const loader = loadSurvey('feature_ranking');
export const action = answerSurvey('feature_ranking');
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function FeatureRankingPage() {
  const { step } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return <ModalPage modal="survey:features" with={{ step, result: result ?? null }} body={FeatureRankingModal} />;
}
