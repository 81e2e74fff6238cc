export { savePreference as action } from '../features/account/preferences/preferences.server';
