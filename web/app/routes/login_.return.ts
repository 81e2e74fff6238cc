export {
  finishFirebaseLogin as loader,
  repeatReturn as action,
} from '../features/identity/login/firebase-login.server';
