//! Connections to a broker: credentials and encryption. Clear text goes to this machine only, unless the user says so.

use super::failed;
use crate::error::Error;
use async_nats::{Client, ConnectOptions, ServerAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to reach a broker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BrokerAccess {
    /// `nats://host:4222` or `tls://host:4222`.
    pub url: String,
    /// A file with a token.
    pub token_file: Option<PathBuf>,
    /// A user and a file with the password.
    pub user: Option<(String, PathBuf)>,
    /// A file with the seed of an nkey.
    pub nkey_file: Option<PathBuf>,
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file with the authorities that are believed, beside the system's.
    pub authorities: Option<PathBuf>,
    /// Whether clear text may go to other hosts.
    pub clear_text: bool,
}

fn secret(path: &Path) -> Result<String, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    Ok(text.trim().to_string())
}

fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Why an address is not used.
pub(super) fn refused(access: &BrokerAccess) -> Result<ServerAddr, Error> {
    let address: ServerAddr =
        access.url.parse().map_err(|error: std::io::Error| failed(&access.url)(error))?;
    if !address.tls_required() && !is_here(address.host()) && !access.clear_text {
        let reason =
            "what is sent there could be read and changed on the way; use tls://, or say --clear-text";
        return Err(failed(&access.url)(reason));
    }
    Ok(address)
}

/// Connects, or says why not.
pub async fn connect(access: &BrokerAccess, name: &str) -> Result<Client, Error> {
    let wrong = failed::<String>(&access.url);
    let address = refused(access)?;
    let mut options = ConnectOptions::new()
        .name(name)
        .connection_timeout(Duration::from_secs(5))
        .require_tls(address.tls_required())
        .reconnect_delay_callback(|tries| Duration::from_millis((100 * tries as u64).min(2000)));
    if let Some(path) = &access.token_file {
        options = options.token(secret(path)?);
    }
    if let Some((user, path)) = &access.user {
        options = options.user_and_password(user.clone(), secret(path)?);
    }
    if let Some(path) = &access.nkey_file {
        options = options.nkey(secret(path)?);
    }
    if let Some(path) = &access.credentials {
        options = options.credentials_file(path).await.map_err(|error| Error::file(path, error))?;
    }
    if let Some(path) = &access.authorities {
        options = options.add_root_certificates(path.clone());
    }
    options.connect(address).await.map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_text_stays_here() {
        let to = |url: &str, clear_text| {
            refused(&BrokerAccess { url: url.into(), clear_text, ..BrokerAccess::default() })
        };
        for url in [
            "nats://127.0.0.1:4222",
            "nats://localhost:4222",
            "nats://[::1]:4222",
            "tls://broker.example:4222",
        ] {
            assert!(to(url, false).is_ok(), "{url}");
        }
        for url in
            ["nats://broker.example:4222", "nats://10.0.0.1:4222", "nats://localhost.evil.example:4222"]
        {
            let error = to(url, false).expect_err("refused").to_string();
            assert!(error.contains("--clear-text"), "{error}");
            assert!(to(url, true).is_ok());
        }
        assert!(to("nats://:::", false).is_err());
    }
}
