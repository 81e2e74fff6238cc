export { loadOffersData as loader } from './onboarding.server';
