import { useActionData, useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { OnboardingSurveyModal } from './onboarding-survey';
import { answerSurvey, loadSurvey } from './survey.server';

export const handle = { i18n: ['surveys'] };
export const loader = loadSurvey('onboarding');
export const action = answerSurvey('onboarding');
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function OnboardingSurveyPage() {
  const { step } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return <ModalPage modal="survey:onboarding" with={{ step, result: result ?? null }} body={OnboardingSurveyModal} />;
}
