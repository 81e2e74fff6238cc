/** Generated from the description of the API by generate.ts. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActivatePluginKey: {
            device_id: string;
        };
        CreateBulkUpload: {
            /** @enum {string} */
            image_content_type?: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
            output_content_type?: string;
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            file_name?: string;
            size_bytes?: number;
            sha256?: string;
            jpeg_quality?: 90 | 100;
            keep_location?: boolean;
            input_task_list?: components["schemas"]["ImageInput"][];
        };
        AiPipeline: {
            face_enhance?: {
                /** @enum {string} */
                model: "base" | "v1" | "v2";
                strength?: number;
            };
            face_lifting?: {
                /** @enum {string} */
                model: "movie" | "glam" | "cute" | "natural";
                strength?: number;
            };
            background_enhance?: {
                /** @enum {string} */
                model: "base" | "v1";
                strength?: number;
            };
            bokeh?: {
                /** @enum {string} */
                model: "low" | "medium" | "high";
                strength?: number;
            } | {
                aperture: number;
                highlights: number;
                vivid: number;
                strength?: number;
            };
            color_enhance?: {
                /** @enum {string} */
                model: "golden" | "steady" | "balanced" | "orange" | "silky" | "muted" | "teal" | "softWarm";
                strength?: number;
            };
            upscale?: {
                factor: "auto" | 1 | 2 | 4;
            };
            /** @constant */
            auto?: true;
        };
        ImageInput: {
            /** @enum {string} */
            image_content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
            output_content_type?: string;
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            file_name?: string;
            size_bytes?: number;
            sha256?: string;
            jpeg_quality?: 90 | 100;
            keep_location?: boolean;
        };
        AddToBulkUpload: {
            input_task_list: components["schemas"]["ImageInput"][];
        };
        ProcessBulkUpload: {
            task_ids?: string[];
        };
        PrepareArchive: {
            output_content_type: string;
            jpeg_quality?: 90 | 100;
        };
        DeleteTasks: {
            task_ids: string[];
        };
        ExportTask: {
            output_content_type?: string;
            jpeg_quality?: 90 | 100;
            /** Format: uuid */
            output_id?: string;
        };
        ConvertTask: {
            output_content_type: string;
            jpeg_quality?: 90 | 100;
        };
        ConvertInputs: {
            task_ids?: string[];
        };
        Reprocess: {
            input_reprocess_list: components["schemas"]["ReprocessInput"][];
        };
        ReprocessInput: {
            /** Format: uuid */
            client_task_id: string;
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            output_content_type?: string;
            jpeg_quality?: 90 | 100;
            keep_location?: boolean;
            /** @default false */
            preview: boolean;
        };
        CreateVideoTask: {
            /** @enum {string} */
            video_content_type: "video/quicktime" | "video/mp4";
            /** @default {} */
            eligibility_limits: components["schemas"]["EligibilityLimits"];
            video_metadata: {
                file_name?: string;
                size: number;
                duration?: number | null;
                width?: number | null;
                height?: number | null;
            };
            ai_pipeline?: components["schemas"]["VideoPipeline"];
        };
        EligibilityLimits: {
            max_size_mb?: number;
            max_length?: number;
            max_period_size_mb?: number;
            max_period_length?: number;
        };
        VideoPipeline: {
            face_enhance?: {
                /** @enum {string} */
                model: "base" | "v1" | "v2";
                strength?: number;
            };
            background_enhance?: {
                /** @enum {string} */
                model: "base" | "v1";
                strength?: number;
            };
            color_enhance?: {
                /** @enum {string} */
                model: "golden" | "steady" | "balanced" | "orange" | "silky" | "muted" | "teal" | "softWarm";
                strength?: number;
            };
        };
        ReprocessVideo: {
            ai_pipeline: components["schemas"]["VideoPipeline"];
        };
        User: {
            id: string;
            /** Format: uuid */
            web_user_id: string;
            /** Format: uuid */
            backend_id: string;
            firebase_uid: string | null;
            is_guest: boolean;
            /** @enum {string} */
            role: "guest" | "base" | "credits" | "personal" | "business";
            email: string | null;
            source: ("google" | "facebook" | "apple") | null;
            /** Format: date-time */
            created_at: string;
            is_free: boolean;
            available_credits: number;
            mobile_oracle_backend_id: string | null;
            marketing_consent: boolean;
            image_training_consent: boolean;
            next_renew_image_download_limits_datetime: string | null;
            gift_code: {
                is_active: boolean;
                /** Format: date-time */
                expiry_at: string;
            } | null;
            preferences: components["schemas"]["Preferences"];
            monetization: {
                trial_available: boolean;
                has_incomplete_subscription: boolean;
                is_subscribed: boolean;
                subscription_includes_trial: boolean;
                subscription_with_intro_price: boolean;
                subscription_provider: ("stripe" | "paypal" | "mobile") | null;
                subscription_id: string | null;
                price_id: string | null;
                intro_available: boolean;
                open_subscription: components["schemas"]["OpenSubscription"] | null;
            };
            limits: {
                exports: number | null;
                exports_used: number;
            };
        };
        Preferences: {
            wants_email_reminder: boolean;
            default_ai_pipeline: components["schemas"]["AiPipeline"] | null;
            keep_location: boolean;
        };
        OpenSubscription: {
            /** @enum {string} */
            provider: "stripe" | "paypal";
            price_id: string | null;
            /** @enum {string} */
            state: "running" | "incomplete" | "past_due" | "pending" | "blocked";
            has_intro: boolean;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            error_code: string;
            error_description: string;
            request_id: string;
            details?: {
                [key: string]: unknown;
            };
        };
        PluginKey: {
            /** Format: uuid */
            id: string;
            prefix: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            device_id: string | null;
        };
        BulkUploadCreated: {
            /** Format: uuid */
            bulk_upload_id: string;
            /** @enum {string} */
            status: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
            task_list: components["schemas"]["UploadTarget"][];
        };
        UploadTarget: {
            /** Format: uuid */
            task_id: string;
            /** @enum {string} */
            status: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
            /** Format: uri */
            upload_url: string;
            upload_headers: {
                [key: string]: string;
            };
            resumable_url: string | null;
        };
        BulkUpload: {
            /** Format: uuid */
            bulk_upload_id: string;
            /** @enum {string} */
            status: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
            task_list: components["schemas"]["Task"][];
            input_task_list: {
                /** Format: uuid */
                task_id: string;
                input_url: string | null;
                input: components["schemas"]["TaskInput"];
            }[];
        };
        Task: {
            /** Format: uuid */
            task_id: string;
            /** Format: uuid */
            bulk_upload_id: string;
            bulk_upload_size: number;
            /** @enum {string} */
            status: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
            progress: number;
            file_progress: number;
            queue_wait_num: number | null;
            remaining_seconds: number | null;
            /** @enum {string} */
            media_type: "image" | "video";
            ai_pipeline: components["schemas"]["AiPipeline"];
            keep_location: boolean;
            has_watermark: boolean;
            is_exported: boolean;
            /** @enum {string} */
            export_state: "none" | "preparing" | "ready";
            input_url: string | null;
            output_url: string | null;
            output_content_type: string;
            display: components["schemas"]["TaskDisplay"];
            input: components["schemas"]["TaskInput"];
            result: {
                outputs: components["schemas"]["TaskOutput"][];
            };
            sharing: components["schemas"]["TaskSharing"] | null;
            error_code: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        TaskDisplay: {
            input_url: string | null;
            input_medium_url: string | null;
            output_url: string | null;
            thumbnail_url: string | null;
            input_thumbnail_url: string | null;
            width: number | null;
            height: number | null;
        };
        TaskInput: {
            file_name: string | null;
            /** @enum {string} */
            content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif" | "video/quicktime" | "video/mp4";
            width: number | null;
            height: number | null;
            duration: number | null;
            size_bytes: number | null;
            sha256: string | null;
            converted_images: {
                /** @enum {string} */
                image_content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
                /** Format: uri */
                output_uri: string;
            }[];
        };
        TaskOutput: {
            /** Format: uuid */
            id: string;
            number: number;
            url: string | null;
            /** @enum {string} */
            content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif" | "video/quicktime" | "video/mp4";
            width: number;
            height: number;
            display: components["schemas"]["DisplayImage"] | null;
            is_preview: boolean;
            is_untouched: boolean;
            has_watermark: boolean;
            is_encoding: boolean;
            keep_location: boolean;
            ai_pipeline: components["schemas"]["AiPipeline"];
            converted_images: {
                /** @enum {string} */
                image_content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
                /** Format: uri */
                output_uri: string;
            }[];
            faces: components["schemas"]["FaceReport"][];
            recipe: components["schemas"]["Recipe"];
            changes: {
                /** Format: uri */
                url: string;
                width: number;
                height: number;
            } | null;
        };
        DisplayImage: {
            /** Format: uri */
            url: string;
            medium_url: string | null;
            /** Format: uri */
            thumbnail_url: string;
            width: number;
            height: number;
        };
        FaceReport: {
            box: {
                x: number;
                y: number;
                width: number;
                height: number;
            };
            confidence: number;
            restored: boolean;
            identity_similarity: number | null;
            /** @constant */
            held_back?: true;
        };
        Recipe: {
            version: number;
            ai_pipeline: components["schemas"]["AiPipeline"];
            models: {
                id: string;
                version: string;
                sha256: string;
            }[];
            left_alone?: ("background_enhance" | "face_enhance" | "face_lifting" | "bokeh" | "color_enhance")[];
            /** @constant */
            is_untouched?: true;
            enlarged_by?: number;
        };
        TaskSharing: {
            sharing_id: string;
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        TaskList: {
            data: components["schemas"]["Task"][];
            has_more: boolean;
        };
        DeletedTasks: {
            not_found: string[];
        };
        Analysis: {
            softness: number;
            real_width: number;
            real_height: number;
            noise: number;
            blockiness: number;
            need: number;
            light: {
                darkest: number;
                median: number;
                brightest: number;
                /** @enum {string} */
                exposure: "dark" | "normal" | "bright";
                is_monochrome: boolean;
                is_faded: boolean;
            };
            faces: {
                box: {
                    x: number;
                    y: number;
                    width: number;
                    height: number;
                };
                confidence: number;
                real_pixels: number;
                is_restorable: boolean;
            }[];
            input: {
                /** @enum {string} */
                content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
                width: number;
                height: number;
                size_bytes: number;
            };
            pipeline: components["schemas"]["AiPipeline"];
            result: {
                width: number;
                height: number;
                seconds: number | null;
            };
        };
        Looks: {
            /** @enum {string} */
            status: "pending" | "ready" | "failed";
            looks: components["schemas"]["Look"][];
        };
        Look: {
            /** @enum {string} */
            tool: "color_enhance" | "bokeh" | "face_lifting";
            model: string;
            /** Format: uri */
            url: string;
            width: number;
            height: number;
        };
        VideoTaskCreated: {
            /** @enum {string} */
            status: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
            /** Format: uri */
            upload_url: string;
            upload_headers: {
                [key: string]: string;
            };
            resumable_url: string | null;
            /** Format: uuid */
            video_task_id: string;
        };
        VideoTask: {
            /** Format: uuid */
            video_task_id: string;
            /** @enum {string} */
            status: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
            progress: number;
            file_progress: number;
            remaining_seconds: number | null;
            queue_wait_num: number | null;
            ai_pipeline: components["schemas"]["VideoPipeline"];
            input: components["schemas"]["VideoInput"];
            plan: {
                /** @enum {string} */
                recipe: "faces" | "signal";
                estimated_seconds: number;
            } | null;
            poster_url: string | null;
            preview: {
                /** Format: uri */
                input_url: string;
                /** Format: uri */
                output_url: string;
            } | null;
            result: components["schemas"]["VideoTaskResult"] | null;
            earlier_results: components["schemas"]["VideoTaskResult"][];
            sharing: components["schemas"]["TaskSharing"] | null;
            error_code: string | null;
            reached_limit: components["schemas"]["ReachedVideoLimit"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        VideoInput: {
            file_name: string | null;
            /** @enum {string} */
            content_type: "video/quicktime" | "video/mp4";
            width: number | null;
            height: number | null;
            duration: number | null;
            frame_rate: number | null;
            size_bytes: number | null;
            sha256: string | null;
        };
        VideoTaskResult: {
            /** Format: uuid */
            id: string;
            number: number;
            ai_pipeline: components["schemas"]["VideoPipeline"];
            /** Format: uri */
            input_url: string;
            /** Format: uri */
            output_url: string;
            /** Format: uri */
            poster_url: string;
            /** Format: uri */
            display_input_url: string;
            width: number;
            height: number;
            duration: number;
            size_bytes: number;
            recipe: components["schemas"]["VideoRecipe"];
            notes: ("cut_off" | "hdr_tone_mapped" | "subtitles_dropped" | "scaled_down" | "audio_transcoded" | "audio_dropped")[];
            faces_followed: number;
            faces_restored: number;
        };
        VideoRecipe: {
            /** @enum {string} */
            name: "faces" | "signal";
            tools: ("face_enhance" | "background_enhance" | "color_enhance")[];
            networks: {
                id: string;
                version: string;
                sha256: string;
            }[];
            version: number;
        };
        ReachedVideoLimit: {
            /** @enum {string} */
            limit: "max_size_mb" | "max_length" | "max_period_size_mb" | "max_period_length";
            value: number;
            allowed: number;
        };
        VideoAllowance: {
            /** @constant */
            period: "weekly";
            max_size_mb: number;
            max_length: number;
            max_period_size_mb: number;
            max_period_length: number;
            used_size_mb: number;
            used_length: number;
            /** Format: date-time */
            resets_at: string;
            limit_hit: ("size" | "duration") | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
