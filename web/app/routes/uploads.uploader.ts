export { loadUploader as loader } from '../features/billing/offer/offer.server';
