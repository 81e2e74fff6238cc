/** Where support reads mail. */
export const SUPPORT_ADDRESS = 'support@clearframe.example';
