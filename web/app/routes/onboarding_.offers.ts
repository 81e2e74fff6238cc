export { answerOffers as loader } from '../features/onboarding/onboarding.server';
