package import SceneRouting

/// The scenarios that ship, in the apps that ship: the situations of the contract, and the most frequently reported bugs of apps
/// with several windows.
package enum ShippedScenarios {
    /// The files of all scenarios, sorted by name.
    static let files: [(name: String, content: [UInt8])] = [
        ("account-in-its-window", PackageResources.account_in_its_window_yaml),
        ("added-for-the-next-user", PackageResources.added_for_the_next_user_yaml),
        ("approved-for-another", PackageResources.approved_for_another_yaml),
        ("bought-by-the-last-user", PackageResources.bought_by_the_last_user_yaml),
        ("chained-gates", PackageResources.chained_gates_yaml),
        ("close-one-window", PackageResources.close_one_window_yaml),
        ("closed-again", PackageResources.closed_again_yaml),
        ("closed-by-itself", PackageResources.closed_by_itself_yaml),
        ("closed-from-elsewhere", PackageResources.closed_from_elsewhere_yaml),
        ("code-of-the-last-user", PackageResources.code_of_the_last_user_yaml),
        ("cold-start", PackageResources.cold_start_yaml),
        ("connected-in-the-background", PackageResources.connected_in_the_background_yaml),
        ("discard-against-links", PackageResources.discard_against_links_yaml),
        ("disconnect-after-link", PackageResources.disconnect_after_link_yaml),
        ("double-tap", PackageResources.double_tap_yaml),
        ("download-against-sign-out", PackageResources.download_against_sign_out_yaml),
        ("dragged-out-and-signed-out", PackageResources.dragged_out_and_signed_out_yaml),
        ("empty-completion", PackageResources.empty_completion_yaml),
        ("expired-sign-in", PackageResources.expired_sign_in_yaml),
        ("full-mailbox", PackageResources.full_mailbox_yaml),
        ("gate-of-the-last-user", PackageResources.gate_of_the_last_user_yaml),
        ("gate-opened-against-link", PackageResources.gate_opened_against_link_yaml),
        ("gate-opened-against-sign-out", PackageResources.gate_opened_against_sign_out_yaml),
        ("handoff-against-sign-out", PackageResources.handoff_against_sign_out_yaml),
        ("handoff-that-fails", PackageResources.handoff_that_fails_yaml),
        ("help-against-sign-in", PackageResources.help_against_sign_in_yaml),
        ("help-over-gate", PackageResources.help_over_gate_yaml),
        ("help-over-login", PackageResources.help_over_login_yaml),
        ("inside-the-flow", PackageResources.inside_the_flow_yaml),
        ("key-for-another", PackageResources.key_for_another_yaml),
        ("left-on-screen", PackageResources.left_on_screen_yaml),
        ("link-over-dismissed-sheet", PackageResources.link_over_dismissed_sheet_yaml),
        ("links-at-once", PackageResources.links_at_once_yaml),
        ("links-in-order", PackageResources.links_in_order_yaml),
        ("locked-while-paying", PackageResources.locked_while_paying_yaml),
        ("lost-before-approval", PackageResources.lost_before_approval_yaml),
        ("lost-while-paying", PackageResources.lost_while_paying_yaml),
        ("lost-while-waiting", PackageResources.lost_while_waiting_yaml),
        ("order-placed-and-signed-out", PackageResources.order_placed_and_signed_out_yaml),
        ("out-of-stock", PackageResources.out_of_stock_yaml),
        ("paid-twice", PackageResources.paid_twice_yaml),
        ("parked-while-away", PackageResources.parked_while_away_yaml),
        ("payee-for-the-next-user", PackageResources.payee_for_the_next_user_yaml),
        ("payment-of-the-last-user", PackageResources.payment_of_the_last_user_yaml),
        ("queued-behind-gate", PackageResources.queued_behind_gate_yaml),
        ("ratings-closed", PackageResources.ratings_closed_yaml),
        ("refreshed-for-whom", PackageResources.refreshed_for_whom_yaml),
        ("rejected-while-parked", PackageResources.rejected_while_parked_yaml),
        ("reload-against-gate", PackageResources.reload_against_gate_yaml),
        ("reload-against-link", PackageResources.reload_against_link_yaml),
        ("reload-against-sign-in", PackageResources.reload_against_sign_in_yaml),
        ("restored-after-sign-out", PackageResources.restored_after_sign_out_yaml),
        ("restored-windows", PackageResources.restored_windows_yaml),
        ("result-against-membership", PackageResources.result_against_membership_yaml),
        ("resumed-before-newer", PackageResources.resumed_before_newer_yaml),
        ("resumed-for-whom", PackageResources.resumed_for_whom_yaml),
        ("root-against-gate", PackageResources.root_against_gate_yaml),
        ("settings-saved-twice", PackageResources.settings_saved_twice_yaml),
        ("sheet-pulled-down", PackageResources.sheet_pulled_down_yaml),
        ("sign-in-elsewhere", PackageResources.sign_in_elsewhere_yaml),
        ("sign-out-against-push", PackageResources.sign_out_against_push_yaml),
        ("signed-in-for-nothing", PackageResources.signed_in_for_nothing_yaml),
        ("signed-in-for-the-next-user", PackageResources.signed_in_for_the_next_user_yaml),
        ("signed-out-at-once", PackageResources.signed_out_at_once_yaml),
        ("signed-out-on-arrival", PackageResources.signed_out_on_arrival_yaml),
        ("silent-while-closing", PackageResources.silent_while_closing_yaml),
        ("sponsor-against-sign-out", PackageResources.sponsor_against_sign_out_yaml),
        ("stale-and-signed-out", PackageResources.stale_and_signed_out_yaml),
        ("stale-for-somebody-else", PackageResources.stale_for_somebody_else_yaml),
        ("stale-for-the-next-user", PackageResources.stale_for_the_next_user_yaml),
        ("stale-sign-in", PackageResources.stale_sign_in_yaml),
        ("stale-while-paying", PackageResources.stale_while_paying_yaml),
        ("swiped-by-the-last-user", PackageResources.swiped_by_the_last_user_yaml),
        ("switched-off-asks-nobody", PackageResources.switched_off_asks_nobody_yaml),
        ("switched-off-while-reading", PackageResources.switched_off_while_reading_yaml),
        ("switched-off-while-waiting", PackageResources.switched_off_while_waiting_yaml),
        ("tapped-before-the-next-user", PackageResources.tapped_before_the_next_user_yaml),
        ("tapped-to-sign-out", PackageResources.tapped_to_sign_out_yaml),
        ("three-windows-sign-in", PackageResources.three_windows_sign_in_yaml),
        ("two-buyers", PackageResources.two_buyers_yaml),
        ("two-payments", PackageResources.two_payments_yaml),
        ("two-users", PackageResources.two_users_yaml),
        ("two-windows-sign-in", PackageResources.two_windows_sign_in_yaml),
        ("unlocked-for-whom", PackageResources.unlocked_for_whom_yaml),
        ("variant-chosen-once", PackageResources.variant_chosen_once_yaml),
        ("variant-for-the-next-user", PackageResources.variant_for_the_next_user_yaml),
        ("variant-in-two-windows", PackageResources.variant_in_two_windows_yaml),
        ("variant-of-the-last-user", PackageResources.variant_of_the_last_user_yaml),
        ("window-against-sign-out", PackageResources.window_against_sign_out_yaml),
        ("window-for-the-next-user", PackageResources.window_for_the_next_user_yaml),
        ("wrong-window", PackageResources.wrong_window_yaml),
    ]

    /// The names of all scenarios, sorted.
    package static var names: [String] { files.map(\.name) }

    /// The file of a scenario, as an example to copy; `nil` if none has this name.
    package static func text(of name: String) -> String? {
        files.first { $0.name == name }.map { String(decoding: $0.content, as: UTF8.self) }
    }

    /// The scenario of this name; `nil` if there is none.
    /// - Throws: Never for the files that ship, which a test reads.
    package static func scenario(_ name: String) throws(ManifestProblems) -> Scenario? {
        guard let text = text(of: name) else { return nil }
        return try Scenario.read(text, file: "\(name).yaml")
    }
}
