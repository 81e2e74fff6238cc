export { takePaymentReturn as loader } from '../features/checkout/return.server';
