import { useActionData, useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { FeatureRankingModal } from './feature-ranking';
import { answerSurvey, loadSurvey } from './survey.server';

export const handle = { i18n: ['surveys'] };
export const loader = loadSurvey('feature_ranking');
export const action = answerSurvey('feature_ranking');
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function FeatureRankingPage() {
  const { step } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return <ModalPage modal="survey:features" with={{ step, result: result ?? null }} body={FeatureRankingModal} />;
}
