export { handlePaymentReturn as loader } from '../features/billing/return/return.server';
